import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { TYPES_FILE, webTypes } from '../scripts/web-types.ts'
import { root } from '../server/config.ts'

test('every file is formatted and free of lint', () => {
  passes('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off')
})

test('every type is right', () => {
  // Several checkers look at much of it several times, and the cores are busy with other tests.
  passes('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded')
  passes('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded', '-p', 'web')
})

test('the types of the web interface are those of the definitions', async () => {
  assert.equal(await readFile(TYPES_FILE, 'utf8'), webTypes(), 'run `node scripts/web-types.ts`')
})

function passes(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
}
