import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { root } from '../server/config.ts'

test('every file is formatted and free of lint', () => {
  passes('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off')
})

test('every type is right', () => {
  passes('node_modules/typescript/bin/tsc', '--noEmit')
})

function passes(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
}
