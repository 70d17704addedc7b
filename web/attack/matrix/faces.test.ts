import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classificationFaces, comparisonFaces, heatFaces } from './faces.ts'
import type { Place } from './matrix-tree.ts'

const sub: Place = { id: 'TA1:T1.1', name: 'Link', externalId: 'T1.1', platforms: [], parent: 'TA1:T1', subs: [] }
const technique: Place = { ...sub, id: 'TA1:T1', name: 'Phishing', externalId: 'T1', parent: null, subs: [sub] }

const covered = (id: string, share: number, gap: number) => ({ id, share, gap })

test('a folded technique shows the highest heat and gap of its sub-techniques', () => {
  const heat = [
    { id: technique.id, count: 1, score: 1 },
    { id: sub.id, count: 9, score: 9 },
  ]
  const { faceOf } = heatFaces(heat, [covered(technique.id, 0.5, 0.1), covered(sub.id, 0, 1)], 'count')
  const folded = faceOf(technique, true)
  assert.deepEqual([folded.text, folded.level, folded.gapLevel, folded.shareLevel], ['9', 5, 3, 2])
  assert.equal(folded.label, '1 entity, up to 9 in sub-techniques, 50% covered, large gap')
  const own = faceOf(technique, false)
  assert.deepEqual([own.text, own.gapLevel, own.label], ['1', 1, '1 entity, 50% covered, small gap'])
})

test('a technique without entities has no number', () => {
  const { text, level, label } = heatFaces([], [], 'count').faceOf(technique, true)
  assert.deepEqual([text, level, label], ['', 0, 'no entities, 0% covered'])
})

test('by recency, the weight is said as well', () => {
  const { faceOf } = heatFaces([{ id: sub.id, count: 4, score: 1.25 }], [], 'recency')
  assert.equal(faceOf(sub, false).label, '4 entities, recency 1.3, 0% covered')
})

test('a comparison says which side has a technique', () => {
  const faceOf = comparisonFaces([
    { id: technique.id, left: 2, right: 0 },
    { id: sub.id, left: 0, right: 3 },
  ])
  assert.deepEqual([faceOf(technique, false).mark, faceOf(sub, false).mark], ['left', 'right'])
  assert.deepEqual([faceOf(technique, true).mark, faceOf(technique, true).text], ['both', '2 · 3'])
  assert.equal(faceOf(technique, true).label, 'both sides, with different sub-techniques, 2 left, 3 right')
  assert.equal(comparisonFaces([])(technique, true).mark, '')
})

test('a folded technique shows that its sub-techniques are classified', () => {
  const faceOf = classificationFaces(new Set([sub.id]))
  assert.deepEqual(
    [faceOf(technique, true).mark, faceOf(technique, false).mark, faceOf(sub, false).mark],
    ['inside', '', 'on'],
  )
})
