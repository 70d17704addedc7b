import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { generatedFiles } from '../scripts/web-types.ts'
import { root } from '../server/config.ts'

test('every file is formatted and free of lint', () => {
  passes('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off')
})

test('every type is right', () => {
  // Several checkers do some work several times, and other tests keep the cores busy.
  passes('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded', ...incremental('server'))
  passes('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded', '-p', 'web', ...incremental('web'))
})

test('the generated files of the web interface match the definitions', async () => {
  for (const { path, text } of generatedFiles())
    assert.equal(await readFile(path, 'utf8'), text, 'run `npx node scripts/web-types.ts`')
})

/** The checker compares files with those of its last run, including that of `npm run check`. */
const incremental = (program: string): string[] => [
  '--incremental',
  '--tsBuildInfoFile',
  join(root, `node_modules/.cache/types/${program}.tsbuildinfo`),
]

function passes(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
}
