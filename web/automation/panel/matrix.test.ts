import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Enrichment } from '../../api/resources.ts'
import { matrixOf } from './matrix.ts'

const result = (enricher: number, observable: number, maliciousness?: string) =>
  ({
    id: enricher * 100 + observable,
    enricher: `https://corvus.example/api/v2/enrichers/${enricher}`,
    observable: `https://corvus.example/api/v2/observables/${observable}`,
    state: maliciousness ? 'FOUND' : 'EMPTY',
    findings: maliciousness ? [{ kind: 'verdict', maliciousness }] : [],
  }) as unknown as Enrichment

test('results are arranged by observable and enricher, the strongest verdicts first', () => {
  const observables = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]
  const { enrichers, rows } = matrixOf(observables, [
    result(10, 2),
    result(9, 3, 'low'),
    result(10, 3, 'high'),
    result(9, 4, 'medium'),
  ])
  assert.deepEqual(enrichers, ['9', '10'])
  assert.deepEqual(
    rows.map(({ observable }) => observable.id),
    [3, 4, 2, 1],
  )
  assert.deepEqual([...(rows[0]?.results.keys() ?? [])], ['9', '10'])
  assert.equal(rows[3]?.results.size, 0)
})
