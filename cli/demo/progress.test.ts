import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { barOf, durationOf, lineOf, showProgress } from './progress.ts'

function screenOf(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, columns: 100, written, write: (text: string) => written.push(text) }
}

test('progress is printed with rate, share and time left', () => {
  const state = { label: 'entities', done: 42_000, total: 100_000, seconds: 20 }
  assert.equal(lineOf(state), 'entities: 42,000 of 100,000, 42 %, 2,100/s, 28 s left')
  assert.equal(lineOf({ ...state, done: 0, seconds: 0 }), 'entities: 0 of 100,000, 0 %')
  assert.equal(lineOf({ ...state, done: 100_000 }), 'entities: 100,000 of 100,000, 100 %, 5,000/s, in 20 s')
})

test('durations are printed in the units that people use', () => {
  assert.deepEqual([0.2, 59, 61, 3600, 90_000].map(durationOf), ['1 s', '59 s', '1 min 1 s', '1 h 0 min', '25 h 0 min'])
})

test('a bar fits its terminal, however narrow', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), fc.nat(), (columns, done, rest) => {
      const bar = barOf({ label: 'entities', done, total: done + rest, seconds: 3 }, columns)
      assert.ok(bar.length < columns)
    }),
  )
  assert.match(barOf({ label: 'x', done: 1, total: 2, seconds: 1 }, 80), /^\[#{20}\.{20}\] x: 1 of 2, 50 %/)
})

test('a terminal sees one line that changes, at most ten times a second', () => {
  let time = 0
  const screen = screenOf(true)
  const progress = showProgress(screen, 'entities', 1000, () => time)
  for (let i = 0; i < 100; i++) {
    time += 10
    progress.advance(10)
  }
  progress.end()
  assert.equal(screen.written.at(-1), '\n')
  assert.ok(screen.written.length <= 13, String(screen.written.length))
  for (const text of screen.written.slice(0, -1)) assert.ok(text.startsWith('\r\x1b[K['))
})

test('the last state is shown once, also when it was shown just before the end', () => {
  let time = 0
  const screen = screenOf(false)
  const progress = showProgress(screen, 'entities', 10, () => time)
  time = 5000
  progress.advance(10)
  progress.end()
  assert.deepEqual(screen.written, ['entities: 10 of 10, 100 %, 2/s, in 5 s\n'])
})

test('a file sees a whole line every five seconds and at the end', () => {
  let time = 0
  const screen = screenOf(false)
  const progress = showProgress(screen, 'entities', 120, () => time)
  for (let i = 0; i < 12; i++) {
    time += 1000
    progress.advance(10)
  }
  progress.end()
  assert.deepEqual(screen.written, [
    'entities: 50 of 120, 41 %, 10/s, 7 s left\n',
    'entities: 100 of 120, 83 %, 10/s, 2 s left\n',
    'entities: 120 of 120, 100 %, 10/s, in 12 s\n',
  ])
})
