import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Analysis } from './analyses/analysis.ts'
import { heatParametersOf, scopeIn, urlOf } from './scope.ts'

const at = (search: Readonly<Record<string, string>>) => scopeIn({ get: (name) => search[name] ?? '' })
const ANALYSIS = {
  attack_matrix: 'ics-attack',
  scope_datasets: ['http://corvus.test/api/v2/datasets/4'],
  scope_entities: ['http://corvus.test/api/v2/entities/a', 'http://corvus.test/api/v2/entities/b'],
} as unknown as Analysis

test('without parameters, all entities count in the matrix of most users', () => {
  assert.deepEqual(heatParametersOf(at({}), undefined), { matrix: 'enterprise-attack' })
})

test('the URL of a scope leads to the same scope', () => {
  const search = { matrix: 'mobile-attack', entities: 'a,b', query: 'loader', relations: 'true' }
  const scope = at(search)
  assert.deepEqual(urlOf(scope), { ...search, analysis: null, dataset: null })
  assert.deepEqual(heatParametersOf(scope, undefined), {
    matrix: 'mobile-attack',
    entities: ['a', 'b'],
    query: 'loader',
    relations: true,
  })
})

test('an analysis counts what it covers, in its own matrix', () => {
  const scope = at({ analysis: '7', matrix: 'mobile-attack' })
  assert.equal(heatParametersOf(scope, undefined), undefined)
  assert.deepEqual(heatParametersOf(scope, ANALYSIS), { matrix: 'ics-attack', dataset: ['4'], entities: ['a', 'b'] })
})
