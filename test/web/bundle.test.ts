import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { WEB_FOLDER } from '../../server/http/web.ts'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(WEB_FOLDER, '.vite/manifest.json'), 'utf8'))

/** These chunks and everything they import. */
function filesOf(...parts: readonly string[]): Set<string> {
  const files = new Set<string>()
  const seen = new Set<string>()
  const walk = (part: string): void => {
    const chunk = manifest[part]
    assert.ok(chunk, `${part} is not part of the build.`)
    if (seen.has(part)) return
    seen.add(part)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const each of chunk.imports ?? []) walk(each)
  }
  for (const part of parts) walk(part)
  return files
}

/** The compressed size, as every current browser receives it. */
function sent(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => {
    const path = join(WEB_FOLDER, file)
    return sum + statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
  }, 0)
}

test('the first page, before and after the sign-in, is less than 400 kB', (context) => {
  const size = sent(filesOf('index.html', 'automation/panel/search-page.tsx'))
  context.diagnostic(
    `${Math.round(size / 1000)} kB, including ${Math.round(sent(filesOf('index.html')) / 1000)} kB before the sign-in`,
  )
  assert.ok(size < 400_000, `${size} bytes`)
})

test('charts and graphs are not part of the first page', () => {
  const texts = [...filesOf('index.html', 'automation/panel/search-page.tsx')]
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(WEB_FOLDER, file), 'utf8'))
  for (const sign of ['zrender', 'graphology'])
    assert.ok(!texts.some((text) => text.includes(sign)), `The first page has ${sign}.`)
})
