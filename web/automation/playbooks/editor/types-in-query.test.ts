import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinTypes, splitTypes } from './types-in-query.ts'

test('the entity types at the start of a query are separated from the rest, and joined to the same query', () => {
  const cases = [
    ['data.type:report', ['report'], ''],
    ['data.type:report AND phishing', ['report'], 'phishing'],
    [
      'data.type:(report OR vendor-sighting) AND tags:a AND NOT tags:b',
      ['report', 'vendor-sighting'],
      'tags:a AND NOT tags:b',
    ],
    ['data.type:report AND (phishing OR "credential harvesting")', ['report'], 'phishing OR "credential harvesting"'],
    ['data.type:report AND (a OR b) AND (c OR d)', ['report'], '(a OR b) AND (c OR d)'],
  ] as const
  for (const [query, types, rest] of cases) {
    assert.deepEqual(splitTypes(query), { types, rest })
    assert.equal(joinTypes({ types, rest }), query)
  }
})

test('a query that would mean something else stays whole', () => {
  for (const query of [
    '',
    'phishing',
    'data.type:report OR phishing',
    'data.type:report AND a OR b',
    'data.type:report a',
  ])
    assert.deepEqual(splitTypes(query), { types: [], rest: query })
})

test('a rest with alternatives is put in parentheses', () => {
  assert.equal(joinTypes({ types: ['report'], rest: ' a OR b ' }), 'data.type:report AND (a OR b)')
  assert.equal(joinTypes({ types: ['report'], rest: 'a b' }), 'data.type:report AND (a b)')
  assert.equal(joinTypes({ types: [], rest: 'a OR b' }), 'a OR b')
})
