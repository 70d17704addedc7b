import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChangeReport, matchingSections, sectionsOf, type UsedNode } from './change-report.ts'
import { decidedInWords, nextOpen, type Outcome, type Review } from './review.ts'
import { consequencesOf, pageOfQuery, queryKindName, remappedInWords, usesInWords } from './uses.ts'

const NOTHING = { entities: 0, annotations: 0, layers: 0, links: 0 }
const REPORT: ChangeReport = {
  new: [{ id: 'TA0112', name: 'Defense Impairment' }],
  live_again: [],
  revoked: [{ id: 'TA0005:T1562', name: 'Impair Defenses', successors: ['TA0112:T1685', 'TA0112:T1686'] }],
  deprecated: [{ id: 'TA0005:T1000', name: 'Old', successors: [] }],
  renamed: [{ id: 'TA0005', before: 'Defense Evasion', after: 'Stealth' }],
  moved: [],
  text_changed: [],
  texts_added: 0,
  new_defenses: [],
  removed_defenses: [],
  relationships: { new: 0, removed: 0 },
  warnings: [],
  uses: [],
  renamed_uses: [],
}
const used = (outcome: UsedNode['outcome']): UsedNode => ({ id: 'a', successors: [], outcome, ...NOTHING, queries: [] })

test('a search finds changes by id, by name and by what they become', () => {
  const found = (typed: string) =>
    matchingSections(sectionsOf(REPORT), typed).map(({ name, changes }) => [name, ...changes.map(({ id }) => id)])
  assert.equal(found(' ').length, 4)
  assert.deepEqual(found('t1685'), [['revoked', 'TA0005:T1562']])
  assert.deepEqual(found('STEALTH evasion'), [['renamed', 'TA0005']])
  assert.deepEqual(found('defense'), [
    ['revoked', 'TA0005:T1562'],
    ['renamed', 'TA0005'],
    ['new', 'TA0112'],
  ])
  assert.deepEqual(found('nothing'), [])
})

test('consequences say what becomes of nodes in use', () => {
  assert.deepEqual(consequencesOf(REPORT), ['Nothing that is stored here uses a node that changes.'])
  assert.deepEqual(
    consequencesOf({ uses: [used('remapped'), used('remapped'), used('review'), used('kept')], renamed_uses: [] }),
    [
      '2 nodes in use are mapped to the successor.',
      '1 node in use has several successors and goes to the review queue.',
      '1 node in use has no successor; what uses it keeps it.',
    ],
  )
})

test('uses are named with their numbers', () => {
  assert.equal(
    usesInWords({ entities: 1_200, annotations: 1, layers: 0, links: 2 }),
    '1,200 entities, 1 annotation, 2 techniques of your own defenses',
  )
  assert.equal(remappedInWords({ ...NOTHING, layers: 1 }), 'Changed 1 layer.')
  assert.equal(remappedInWords(NOTHING), 'Nothing that is stored here had to be changed.')
})

test('objects with queries lead to their page if they have one', () => {
  assert.equal(pageOfQuery({ kind: 'datasets', id: 4, name: 'Loaders' }), '/datasets/4')
  assert.equal(pageOfQuery({ kind: 'saved_queries', id: 4, name: 'Loaders' }), undefined)
  assert.deepEqual(['saved_queries', 'other_things'].map(queryKindName), ['Saved query', 'other things'])
})

const REVIEWS = [{ id: 7 }, { id: 8 }, { id: 9 }]
const decided = (...ids: number[]) => new Map(ids.map((id): [number, Outcome] => [id, 'kept']))

test('the next open review is after the current one, then before it', () => {
  assert.equal(nextOpen(REVIEWS, decided(8), 1), 2)
  assert.equal(nextOpen(REVIEWS, decided(8, 9), 2), 0)
  assert.equal(nextOpen(REVIEWS, decided(7, 8, 9), 3), undefined)
  assert.equal(nextOpen([], decided(), 0), undefined)
})

test('a decision is said with the names of what was chosen', () => {
  const review = {
    node: { id: 'TA0005:T1562', name: 'Impair Defenses' },
    successors: [
      { id: 'TA0112:T1685', name: 'Disable Tools' },
      { id: 'TA0112:T1686', name: 'Disable Firewall' },
    ],
  } as unknown as Review
  assert.equal(
    decidedInWords(review, 'chosen', ['TA0112:T1686']),
    'TA0005:T1562 is mapped to TA0112:T1686 Disable Firewall.',
  )
  assert.equal(decidedInWords(review, 'kept', []), 'TA0005:T1562 is kept.')
  assert.equal(decidedInWords(review, 'gone', []), 'TA0005:T1562 had already been decided, or its load was undone.')
})
