import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBody } from '../../engine/action.ts'
import { ApiError } from '../../engine/errors.ts'
import { relationalQuery } from './relational-query.ts'

const ID = '018f2b1e-0f4b-7c39-9d4b-0c5a5f6b8a11'

function faults(data: unknown): readonly string[] {
  try {
    parseBody(relationalQuery, { data })
    return []
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.equal(error.status, 400)
    return error.details
  }
}

test('a query is read with its defaults, ids and URLs as ids, older names as the current ones', () => {
  const read = relationalQuery.parse({
    start: {
      query: 'data.title:x',
      entities: [ID.toUpperCase(), `https://a/api/v2/entities/${ID}`],
      datasets: [7, '8'],
    },
    hops: [{}, { entity_types: ['eclecticiq-sighting'], via: 'both', observable_types: ['fox-it-portal-uri'] }],
  })
  assert.deepEqual(read, {
    start: { query: 'data.title:x', entities: [ID, ID], datasets: [7, 8] },
    hops: [
      { direction: 'any', via: 'relationships', depth: 1 },
      {
        direction: 'any',
        via: 'both',
        depth: 1,
        entity_types: ['vendor-sighting'],
        observable_types: ['vendor-portal-uri'],
      },
    ],
    include: 'last',
  })
  assert.deepEqual(relationalQuery.parse(read), read, 'what was read can be read again')
})

test('every error is reported with its position, including unknown properties', () => {
  assert.deepEqual(
    faults({
      start: { entities: [ID, 'x'], dataset: [1] },
      hops: [
        { direction: 'up', keys: ['Bad Key'], depth: 6, foo: 1, bar: 2 },
        { via: 'observables', keys: ['uses'], direction: 'out', subtypes: [null], query: 'x'.repeat(20_001) },
        { observable_types: ['domain'], subtypes: ['other'] },
        { entity_types: ['planet'] },
      ],
      include: 'some',
      limit: 3,
    }).map((fault) => fault.replace(/(must be one of 'attack).*/, '$1…')),
    [
      "data.start.entities[1]: 'x' is not the id or URL of one of entities",
      "data.start: 'dataset' is not allowed; allowed: query, entities, datasets",
      "data.hops[0].direction: must be one of 'out', 'in', 'any', not 'up'",
      'data.hops[0].keys[0]: must contain only a-z, 0-9 and hyphens',
      'data.hops[0].depth: must be at most 5',
      "data.hops[0]: 'foo', 'bar' are not allowed; allowed: direction, keys, subtypes, entity_types, via, observable_types, depth, query",
      'data.hops[1].query: must have at most 20000 characters',
      "data.hops[1].direction: cannot be combined with via 'observables'",
      "data.hops[1].keys: cannot be combined with via 'observables'",
      "data.hops[1].subtypes: cannot be combined with via 'observables'",
      "data.hops[2].subtypes[0]: must be 'stix_update_of', not 'other'",
      "data.hops[2].observable_types: cannot be combined with via 'relationships'",
      "data.hops[3].entity_types[0]: must be one of 'attack…",
      "data.include: must be one of 'last', 'reached', 'all', not 'some'",
      "data: 'limit' is not allowed; allowed: start, hops, include, consolidation",
    ],
  )
})

test('a query needs a start and one to five hops', () => {
  assert.deepEqual(faults({}), ['data.start: is required', 'data.hops: is required'])
  assert.deepEqual(faults({ start: {}, hops: [] }), [
    'data.start: needs query, entities or datasets',
    'data.hops: must have at least 1 item',
  ])
  assert.deepEqual(faults({ start: { entities: [] }, hops: Array.from({ length: 6 }, () => ({})) }), [
    'data.start.entities: must have at least 1 item',
    'data.hops: must have at most 5 items',
  ])
  assert.deepEqual(faults({ start: 7, hops: [null] }), [
    'data.start: must be of type object, not 7',
    'data.hops[0]: must be of type object, not null',
  ])
})

test('text that cannot be stored is refused', () => {
  assert.deepEqual(faults({ start: { query: 'a\u0000' }, hops: [{}] }), [
    'data.start.query: must not contain the NUL character',
  ])
  assert.deepEqual(faults({ start: { query: 'a\ud800' }, hops: [{}] }), [
    'data.start.query: must not contain half of a surrogate pair',
  ])
})
