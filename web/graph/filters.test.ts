import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found, isFiltered, keysIn, shownOf, toggled, typesIn } from './filters.ts'
import { type Filters, NO_FILTERS } from './model.ts'
import { domains, draw, entity, observable } from './sample-drawing.ts'

const aggregate = { kind: 'aggregate', of: 'e:b', group: domains(40), offset: 0 } as const
const drawing = draw(
  [
    entity('a', 'threat-actor', { observed_at: '2026-01-10T00:00:00+00:00' }),
    entity('b'),
    entity('c', 'tool'),
    observable(1),
    aggregate,
  ],
  [
    ['e:a', 'e:b'],
    ['e:a', 'e:c', 'targets'],
    ['e:b', 'o:1', 'has'],
  ],
)

const shown = (filters: Partial<Filters>) => {
  const { nodes, edges } = shownOf({ ...drawing, filters: { ...NO_FILTERS, ...filters } })
  return [[...nodes].map((key) => key.slice(0, 3)).join(' '), [...edges].join(' ')]
}

test('without filters everything is shown', () => {
  assert.deepEqual(shown({}), ['e:a e:b e:c o:1 a:e', '0 1 2'])
})

test('hiding a type hides its edges; an aggregate is hidden with its type and with its node', () => {
  assert.deepEqual(shown({ hiddenTypes: ['entity:tool'] }), ['e:a e:b o:1 a:e', '0 2'])
  assert.deepEqual(shown({ hiddenTypes: ['observable:domain'] }), ['e:a e:b e:c', '0 1'])
  assert.deepEqual(shown({ hiddenTypes: ['entity:malware'] }), ['e:a e:c o:1', '1'])
})

test('relationship filters hide edges but no nodes; degrees count what is shown, an aggregate once', () => {
  assert.deepEqual(shown({ hiddenKeys: ['uses', 'has'] }), ['e:a e:b e:c o:1 a:e', '1'])
  assert.deepEqual(shown({ leastDegree: 1, hiddenKeys: ['uses', 'has'] }), ['e:a e:b e:c a:e', '1'])
  assert.deepEqual(shown({ leastDegree: 2 }), ['e:a e:b a:e', '0'])
})

test('time filters use the time of observation or, without one, of creation', () => {
  assert.deepEqual(shown({ from: '2026-02-01T00:00:00Z' }), ['e:b e:c o:1 a:e', '2'])
  assert.deepEqual(shown({ until: '2026-02-01T00:00:00Z' }), ['e:a', ''])
})

test('counts include the total and the number shown', () => {
  const hidden = { ...drawing, filters: { ...NO_FILTERS, hiddenTypes: ['entity:tool'] } }
  assert.deepEqual(
    typesIn(hidden, shownOf(hidden)).map(({ name, count, shown: seen }) => [name, count, seen]),
    [
      ['entity:malware', 1, 1],
      ['entity:threat-actor', 1, 1],
      ['entity:tool', 1, 0],
      ['observable:domain', 1, 1],
    ],
  )
  assert.deepEqual(
    keysIn(hidden, shownOf(hidden)).map(({ name, shown: seen }) => [name, seen]),
    [
      ['has', 1],
      ['targets', 0],
      ['uses', 1],
    ],
  )
})

test('toggling works both ways, and nodes are found by part of their name in any case', () => {
  assert.deepEqual([toggled(['a'], 'b'), toggled(['a', 'b'], 'a')], [['a', 'b'], ['b']])
  assert.deepEqual([isFiltered(NO_FILTERS), isFiltered({ ...NO_FILTERS, leastDegree: 1 })], [false, true])
  const labels = new Map([
    ['e:a', 'Grey Heron'],
    ['o:1', '1[.]example'],
  ])
  assert.deepEqual(
    [found(labels, ' HERON '), found(labels, ''), found(labels, 'x['), found(labels, '[.]')],
    [['e:a'], ['e:a', 'o:1'], [], ['o:1']],
  )
})
