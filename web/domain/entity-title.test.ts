import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { entityTitle } from './entity-title.ts'

test('a title that is or holds a malicious address is shown defanged', () => {
  assert.equal(entityTitle({ data: { title: 'hugesoft.org' } }), 'hugesoft[.]org')
  assert.equal(entityTitle({ data: { title: 'Seen at http://evil.example/a' } }), 'Seen at hxxp://evil[.]example/a')
  assert.equal(entityTitle({ data: { title: 'x' }, meta: { alias: '192.0.2.1' } }), '192[.]0[.]2[.]1')
  assert.equal(entityTitle({ data: { title: 'x' }, meta: { title: 'a@evil.example' } }), 'a[@]evil[.]example')
  assert.equal(entityTitle({ data: { title: 'Fancy Bear 2.0' } }), 'Fancy Bear 2.0')
  assert.equal(entityTitle({}), 'Untitled')
})

/** Files that need the stored title: they send or compare it, or format it themselves. */
const RAW = [
  'api/resources.ts',
  'automation/consolidation/names.ts',
  'intelligence/entity/differences.ts',
  'intelligence/entity/entity-draft.ts',
  'intelligence/entity/overview-tab.tsx',
  'domain/entity-title.ts',
]

test('no other page reads the title of an entity directly', () => {
  const web = join(import.meta.dirname, '..')
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !/^dist|\.test\.ts$/.test(file) && !RAW.includes(file))
  const reading = files.filter((file) => /\b(?:data|meta)\??\.(?:title|alias)\b(?!['",])/.test(withoutTexts(file, web)))
  assert.deepEqual(reading, [])
})

/** The code of a file without string literals, such as requested attributes. */
const withoutTexts = (file: string, web: string): string =>
  readFileSync(join(web, file), 'utf8').replaceAll(/'[^'\n]*'|`[^`]*`/g, "''")
