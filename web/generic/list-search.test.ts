import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionText, parametersOf, readCondition, readListSearch } from './list-search.ts'

test('filters survive a round trip through the URL', () => {
  const conditions = [
    { field: 'status', comparison: '' as const, value: 'open' },
    { field: 'name', comparison: '!' as const, value: 'a=b>=c' },
    { field: 'created_at', comparison: '>=' as const, value: '2026-01-01T00:00:00Z' },
    { field: 'data.title', comparison: '<=' as const, value: '' },
  ]
  assert.deepEqual(conditions.map(conditionText).map(readCondition), conditions)
  assert.equal(readCondition('nonsense'), undefined)
})

test('a list is requested with its filters; several on one field match any of them', () => {
  const search = readListSearch({ sort: '-at', where: ['status=200', 'status=404', 'method!=GET'], tab: 'x', query: 7 })
  assert.deepEqual(parametersOf(search, { limit: 100 }), {
    'filter[status]': ['200', '404'],
    'filter[!method]': ['GET'],
    sort: '-at',
    query: '7',
    limit: 100,
  })
})
