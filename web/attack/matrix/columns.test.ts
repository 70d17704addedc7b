import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsOf, type FaceOf, readOpen, toggleOpen, type View } from './columns.ts'
import { NO_FACE } from './faces.ts'
import type { MatrixTree, Place } from './matrix-tree.ts'

const place = (id: string, name: string, platforms = ['Windows'], subs: readonly Place[] = []): Place => ({
  id: `TA1:${id}`,
  name,
  externalId: id,
  platforms,
  parent: id.includes('.') ? `TA1:${id.split('.')[0]}` : null,
  subs,
})

const techniques = [
  place('T1', 'Phishing', ['Windows', 'Linux'], [place('T1.1', 'Link', ['Linux']), place('T1.2', 'Attachment')]),
  place('T2', 'Drive-by', ['Linux']),
  place('T3', 'Valid accounts', ['Windows'], [place('T3.1', 'Cloud')]),
]
const TREE: MatrixTree = {
  tactics: [{ id: 'TA1', name: 'Access', externalId: 'TA1', techniques }],
  places: new Map(),
  platforms: [],
}
const VIEW: View = { search: '', platforms: [], isUsedOnly: false, order: 'matrix', isOpen: () => false }
const SCORES: Readonly<Record<string, number>> = { 'T1.2': 3, T2: 5, T3: 0 }
const faceOf: FaceOf = ({ externalId, subs }, isFolded) => {
  const ids = [externalId, ...(isFolded ? subs.map((sub) => sub.externalId) : [])]
  return { ...NO_FACE, score: Math.max(...ids.map((id) => SCORES[id] ?? 0)) }
}
const shown = (view: Partial<View>) =>
  columnsOf(TREE, faceOf, { ...VIEW, ...view }).map(({ cells }) => cells.map((cell) => cell.place.externalId).join(' '))

test('sub-techniques are folded, and shown below their technique', () => {
  assert.deepEqual(shown({}), ['T1 T2 T3'])
  assert.deepEqual(shown({ isOpen: (id) => id === 'TA1:T1' }), ['T1 T1.1 T1.2 T2 T3'])
})

test('a search finds ids and names, and opens techniques for their sub-techniques', () => {
  assert.deepEqual(shown({ search: 'ATTACH' }), ['T1 T1.2'])
  assert.deepEqual(shown({ search: 't3 valid' }), ['T3'])
  assert.deepEqual(shown({ search: 'nothing' }), [''])
})

test('platforms narrow techniques and sub-techniques', () => {
  assert.deepEqual(shown({ platforms: ['Linux'], isOpen: () => true }), ['T1 T1.1 T2'])
  assert.deepEqual(shown({ platforms: ['macOS'] }), [''])
})

test('unused techniques are hidden, but not those with used sub-techniques', () => {
  assert.deepEqual(shown({ isUsedOnly: true }), ['T1 T2'])
  assert.deepEqual(shown({ isUsedOnly: true, isOpen: () => true }), ['T1 T1.2 T2'])
})

test('techniques are ordered by score within their tactic', () => {
  assert.deepEqual(shown({ order: 'score', isOpen: () => true }), ['T2 T1 T1.2 T1.1 T3 T3.1'])
})

test('a column counts the techniques that are used', () => {
  const [column] = columnsOf(TREE, faceOf, VIEW)
  assert.deepEqual([column?.used, column?.count], [2, 3])
})

test('open techniques are listed, or those that differ from all', () => {
  assert.deepEqual(['a', 'b'].map(readOpen('')), [false, false])
  assert.deepEqual(['a', 'b'].map(readOpen('b')), [false, true])
  assert.deepEqual(['a', 'b'].map(readOpen('all,b')), [true, false])
  assert.equal(toggleOpen('', 'a'), 'a')
  assert.equal(toggleOpen('all,a', 'a'), 'all')
  assert.equal(toggleOpen('a', 'a'), '')
})
