import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../server/config.ts'
import { skipWithoutSamples } from './sample-files.ts'

test('a clone without samples skips what needs them, says why in its summary, and ends', () => {
  const files = globSync(['test/samples/*.test.ts', 'server/**/samples.test.ts', 'server/**/pairs.test.ts'], {
    cwd: root,
  })
  assert.ok(files.length >= 5, files.join())
  const options = ['--import', './test/deadline.ts', '--test', '--test-reporter=./test/reporter.ts']
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [...process.execArgv, ...options, ...files], {
    cwd: root,
    encoding: 'utf8',
    env: { ...environment, CORVUS_TEST_SAMPLES: join(tmpdir(), 'there-are-no-samples-here') },
  })
  assert.equal(status, 0, stdout + stderr)
  assert.match(
    stdout,
    /not run: \d+ \(the sample documents are not next to this clone\)\n(?:ℹ not run: .*\n)*ℹ tests \d+\n/,
  )
  assert.match(stdout, /ℹ pass 0\nℹ fail 0\n/)
})

test('where samples are present, their tests are not skipped', { skip: skipWithoutSamples }, () => {
  assert.notEqual(globSync('**/*.json', { cwd: join(root, '../shared/samples') }).length, 0)
})
