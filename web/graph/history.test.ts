import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amend, begin, redo, take, undo } from './history.ts'

test('every step can be undone and redone in order', () => {
  const history = take(take(begin('a'), 'to b', 'b'), 'to c', 'c')
  const back = undo(undo(history))
  assert.deepEqual([undo(history).present, back.present, undo(back).present], ['b', 'a', 'a'])
  assert.deepEqual(
    back.future.map(({ label }) => label),
    ['to b', 'to c'],
  )
  const forth = redo(redo(back))
  assert.deepEqual([redo(back).present, forth.present, redo(forth).present], ['b', 'c', 'c'])
  assert.deepEqual(forth, history)
})

test('a new step discards undone steps', () => {
  const history = take(undo(take(begin('a'), 'to b', 'b')), 'to c', 'c')
  assert.deepEqual([history.present, history.future, undo(history).present], ['c', [], 'a'])
})

test('an amendment belongs to the previous step', () => {
  const history = amend(take(begin('a'), 'to b', 'b'), 'b settled')
  assert.equal(history.present, 'b settled')
  assert.equal(undo(history).present, 'a')
  assert.equal(redo(undo(history)).present, 'b settled')
})

test('the oldest steps are dropped first', () => {
  let history = begin(0)
  for (let i = 1; i <= 150; i++) history = take(history, `to ${i}`, i)
  assert.deepEqual([history.past.length, history.past[0]?.state], [100, 50])
})
