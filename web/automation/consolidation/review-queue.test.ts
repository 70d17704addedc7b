import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstOpen, lastUndoable, progressInWords, type ReviewStep, startOf, stepped } from './review-queue.ts'

const after = (...steps: readonly ReviewStep[]) => steps.reduce(stepped, startOf())
const refuse = (id: number): ReviewStep => ({ kind: 'decide', id, decision: 'refuse' })
const accept = (id: number): ReviewStep => ({ kind: 'decide', id, decision: 'accept' })

test('a decision moves on to the next suggestion, and going back shows what was decided', () => {
  const review = after(refuse(7), accept(8), { kind: 'go', at: 0 })
  assert.equal(review.at, 0)
  assert.deepEqual(
    [...review.decided],
    [
      [7, 'refused'],
      [8, 'accepted'],
    ],
  )
  assert.equal(stepped(review, { kind: 'go', at: -1 }).at, 0)
})

test('only the latest decision can be undone, and only if it is a refusal', () => {
  assert.equal(lastUndoable(after()), undefined)
  assert.equal(lastUndoable(after(accept(7), refuse(8))), 8)
  assert.equal(lastUndoable(after(refuse(7), accept(8))), undefined)
})

test('undoing a decision returns to the suggestion, which is open again', () => {
  const review = after(refuse(7), refuse(8), { kind: 'go', at: 5 }, { kind: 'undone', id: 8 })
  assert.equal(review.at, 1)
  assert.deepEqual([...review.decided.keys()], [7])
  assert.equal(lastUndoable(review), 7)
})

test('a decision that could not be stored leaves the suggestion open, without moving', () => {
  const review = after(refuse(7), refuse(8), { kind: 'failed', id: 7 })
  assert.equal(review.at, 2)
  assert.equal(firstOpen([7, 8], review), 0)
})

test('what another user decided is shown but cannot be undone here', () => {
  const review = after(refuse(7), { kind: 'found', id: 7, state: 'refused' })
  assert.equal(review.decided.get(7), 'refused')
  assert.equal(lastUndoable(review), undefined)
  assert.equal(firstOpen([7], review), undefined)
})

test('progress never exceeds the total', () => {
  assert.equal(progressInWords(11, 240), '12 of 240')
  assert.equal(progressInWords(240, 240), '240 of 240')
})
