import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canAsk, fromQuery, NEW_HOP, NEW_RELATIONS, toQuery } from './relations.ts'

test('empty form fields are left out of the query', () => {
  assert.deepEqual(toQuery({ ...NEW_RELATIONS, query: 'type:malware' }), {
    start: { query: 'type:malware' },
    hops: [{ via: 'relationships', direction: 'any', depth: 1 }],
    include: 'last',
  })
})

test('steps over observables have no direction and no relationship type', () => {
  const hop = {
    ...NEW_HOP,
    via: 'observables',
    direction: 'out',
    keys: ['uses'],
    observable_types: ['domain'],
  } as const
  const { hops } = toQuery({ ...NEW_RELATIONS, datasets: ['4'], hops: [hop] })
  assert.deepEqual(hops, [{ via: 'observables', depth: 1, observable_types: ['domain'] }])
})

test('a query survives a round trip through the form, including properties without a field', () => {
  const query = {
    start: { query: 'tags:apt', datasets: [4], entities: ['x'] },
    hops: [{ via: 'both', direction: 'in', depth: 3, keys: ['uses'], entity_types: ['malware'], subtypes: [null] }],
    include: 'all',
  }
  const form = fromQuery(query)
  assert.ok(form)
  assert.deepEqual(toQuery(form), query)
  assert.deepEqual(fromQuery({ ...query, start: { datasets: ['http://a/api/v2/datasets/7'] } })?.datasets, ['7'])
})

test('an invalid query has no form, and a query without a start cannot be sent', () => {
  for (const value of [null, [], 'x', { start: {} }, { start: {}, hops: [1] }])
    assert.equal(fromQuery(value), undefined)
  assert.equal(canAsk(NEW_RELATIONS), false)
  assert.equal(canAsk({ ...NEW_RELATIONS, rest: { entities: ['x'] } }), true)
})
