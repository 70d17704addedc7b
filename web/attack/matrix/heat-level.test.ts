import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gapLevelOf, scaleOf, scoreText, shareLevelOf } from './heat-level.ts'

test('the highest score has the strongest shade, and nothing has none', () => {
  const { levelOf } = scaleOf([0, 1, 30, 400])
  assert.deepEqual([0, 1, 30, 400].map(levelOf), [0, 1, 2, 5])
})

test('a few entities are no alarm', () => {
  const { levelOf } = scaleOf([1, 1])
  assert.equal(levelOf(1), 3)
})

test('the steps have the scores that occur', () => {
  const { steps } = scaleOf([1, 2, 30, 31, 400])
  assert.deepEqual(steps, [
    { level: 1, from: 1, to: 2 },
    { level: 2, from: 30, to: 31 },
    { level: 5, from: 400, to: 400 },
  ])
})

test('a shade never exceeds the number of shades', () => {
  for (const most of [5, 6, 7, 49, 1e6]) assert.equal(scaleOf([most]).levelOf(most), 5)
})

test('scores are short', () => {
  assert.deepEqual([3, 1234, 0.44, 0.01, 12.6].map(scoreText), ['3', '1,234', '0.4', '<0.1', '13'])
})

test('gaps and shares have few steps', () => {
  assert.deepEqual([0, 0.01, 0.1, 0.3, 1].map(gapLevelOf), [0, 0, 1, 2, 3])
  assert.deepEqual([0, 0.25, 0.5, 0.75, 1].map(shareLevelOf), [0, 1, 2, 3, 4])
})
