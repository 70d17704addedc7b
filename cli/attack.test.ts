import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { root } from '../server/config.ts'
import { bundleOf, shippedContent } from '../test/set-up/attack-bundle.ts'
import { corvus } from '../test/set-up/frameworks.ts'

let url: string
let folder: string
before(async () => {
  url = await corvus.app.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(join(tmpdir(), 'corvus-attack-'))
  const content = await shippedContent('mobile-attack')
  await writeFile(join(folder, 'next.json'), bundleOf({ ...content, version: null }))
})
after(() => rm(folder, { recursive: true, force: true }))

async function run(...args: readonly string[]) {
  const env = { ...process.env, CORVUS_TOKEN: corvus.admin, CORVUS_DATA: folder }
  const child = spawn(process.execPath, [join(root, 'cli/corvus.ts'), '--json', 'attack', ...args, '--url', url], {
    env,
    cwd: folder,
  })
  child.stdin.end()
  const [out, error, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ])
  return { found: out === '' ? undefined : JSON.parse(out), error, code }
}

const versionOf = (rows: readonly Record<string, unknown>[]) =>
  rows.find(({ matrix }) => matrix === 'mobile-attack')?.version

test('a file is previewed, loaded after a confirmation, listed and undone', async () => {
  const previewed = await run('load', 'next.json', '--as', '18.2', '--preview')
  assert.equal(previewed.code, 0, previewed.error)
  assert.deepEqual([previewed.found.from, previewed.found.to], ['18.1', '18.2'])
  const asked = await run('load', 'next.json', '--as', '18.2')
  assert.equal(asked.code, 1)
  assert.match(asked.error, /Nothing was loaded\. Add --yes/)
  assert.equal(versionOf((await run('list')).found), '18.1')
  const loaded = await run('load', 'next.json', '--as', '18.2', '--yes')
  assert.equal(loaded.code, 0, loaded.error)
  assert.equal(versionOf((await run('list')).found), '18.2')
  const undone = await run('undo', 'mobile-attack')
  assert.deepEqual([undone.found.from, undone.found.to], ['18.2', '18.1'])
  const again = await run('undo', 'mobile-attack')
  assert.deepEqual([again.code, again.error.trim()], [1, 'No load of mobile-attack can be undone.'])
})

test('every failure is reported in one sentence', async () => {
  const nothing = await run('load')
  assert.match(nothing.error, /Name a file or an address, or a matrix with --official/)
  const absent = await run('load', 'no-such-file')
  assert.match(absent.error, /There is no no-such-file/)
  assert.equal((await run('load', '--official', 'no-such-matrix')).code, 2)
})
