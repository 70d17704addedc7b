import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmptyStart, MAX_NODES_IN_ADDRESS, readFilters, readStart, writeFilters, writeNodes } from './address.ts'
import { NO_FILTERS } from './model.ts'
import { domains, draw, entity, observable } from './sample-drawing.ts'
import { contentOf, filtersIn, positionsIn } from './saved-graph.ts'

const A = '018f2b1e-0f4b-7c39-9d4b-0c5a5f6b8a11'
const B = '018f2b1e-0f4b-7c39-9d4b-0c5a5f6b8a12'

test('an address lists the starting nodes; invalid parts are ignored', () => {
  const start = readStart({ entities: `${A},${B}, ${A},x`, observables: 7, dataset: '3', query: ' ', graph: '-1' })
  assert.deepEqual(start, {
    entities: [A, B],
    observables: [7],
    groups: [],
    dataset: 3,
    workspace: null,
    query: null,
    graph: null,
    isCollapsed: false,
  })
  assert.deepEqual(readStart({ observables: ['1,2', 2, '3;drop'] }).observables, [1, 2])
  assert.deepEqual(readStart({ observables: '2147483647,2147483648' }).observables, [2147483647])
  assert.deepEqual([isEmptyStart(readStart({})), isEmptyStart(start)], [true, false])
  assert.equal(readStart({ query: 'tags:heron' }).query, 'tags:heron')
  assert.equal(readStart({ consolidation: 'unified' }).isCollapsed, true)
  assert.equal(isEmptyStart(readStart({ consolidation: 'unified' })), true)
})

test('filters survive a round trip through the address, including relationships without a type', () => {
  const filters = {
    hiddenTypes: ['entity:tool', 'observable:domain'],
    hiddenKeys: ['uses', ''],
    leastDegree: 2,
    from: '2026-01-01T00:00:00.000Z',
    until: null,
  }
  assert.deepEqual(readFilters(writeFilters(filters)), filters)
  assert.equal(readFilters({ entities: A }), null)
  assert.deepEqual(
    Object.values(writeFilters(NO_FILTERS)).filter((value) => value !== undefined),
    [],
  )
  assert.deepEqual(readFilters({ from: 'soon', degree: 'many' }), NO_FILTERS)
})

const aggregate = { kind: 'aggregate', of: `e:${A}`, group: domains(40), offset: 10 } as const

test('the nodes of a graph survive a round trip through the address, unless there are too many', () => {
  const written = writeNodes(draw([entity(A), observable(7), aggregate]))
  assert.deepEqual(written, { entities: A, observables: 7, groups: `e:${A}:ZG9tYWlucw` })
  const { entities, observables, groups } = readStart(written ?? {})
  assert.deepEqual([entities, observables, groups], [[A], [7], [{ of: `e:${A}`, group: 'ZG9tYWlucw' }]])
  assert.deepEqual(writeNodes(draw([])), {})
  const many = Array.from({ length: MAX_NODES_IN_ADDRESS + 1 }, (_, i) => observable(i))
  assert.equal(writeNodes(draw(many)), undefined)
})

test('a saved graph contains ids, positions and filters, but no node data or counts', () => {
  const filters = { ...NO_FILTERS, hiddenTypes: ['entity:tool'], leastDegree: 1 }
  const drawing = { ...draw([entity(A), observable(7), aggregate]), filters }
  const content = contentOf(drawing)
  assert.deepEqual(content.nodes, [
    { kind: 'entity', id: A, x: 0, y: 0, is_pinned: false },
    { kind: 'observable', id: 7, x: 10, y: 0, is_pinned: false },
  ])
  assert.deepEqual(content.aggregates, [
    { of: { kind: 'entity', id: A }, group: 'ZG9tYWlucw', x: 20, y: 0, is_pinned: false },
  ])
  assert.deepEqual(positionsIn(content), drawing.positions)
  assert.deepEqual(filtersIn(content), filters)
  assert.ok(!/Entity|example|40/.test(JSON.stringify(content)))
})
