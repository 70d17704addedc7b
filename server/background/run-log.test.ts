import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRunLog } from './run-log.ts'

test('a log continues after the lines of earlier attempts', () => {
  const log = createRunLog(['before'])
  log.add('after')
  assert.deepEqual(log.lines, ['before', 'after'])
})

test('a log keeps its latest thousand lines', () => {
  const log = createRunLog([])
  for (let i = 1; i <= 1500; i++) log.add(`line ${i}`)
  assert.equal(log.lines.length, 1000)
  assert.deepEqual([log.lines[0], log.lines.at(-1)], ['line 501', 'line 1500'])
})

test('a log never holds more than 64 kB, however long its lines', () => {
  const log = createRunLog([])
  for (let i = 0; i < 100; i++) log.add('€'.repeat(5000))
  assert.ok(Buffer.byteLength(log.lines.join('')) <= 64_000)
  assert.ok(log.lines.length > 5)
})

test('a log leaves out what PostgreSQL cannot store', () => {
  const log = createRunLog([])
  log.add('a\u0000b')
  assert.deepEqual(log.lines, ['ab'])
})
