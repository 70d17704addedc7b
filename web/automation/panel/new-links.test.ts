import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObservableLink } from '../../api/resources.ts'
import { linkEdges, sourcesOf } from './new-links.ts'

const url = (path: string) => `https://corvus.example/api/v2/${path}`

test('a link becomes an edge with its relation in words', () => {
  const link = { observable: url('observables/1'), target: url('observables/2'), relation: 'resolves-to' }
  const [[key, edge] = []] = [...linkEdges([link as ObservableLink])]
  assert.equal(key, 'o:1 o:2')
  assert.deepEqual(edge, { kind: 'observable', source: 'o:1', target: 'o:2', label: 'resolves to' })
})

test('only enrichers that name entities count', () => {
  const enrichers = [1, 2, 3].map((id) => ({ id, source: url(`sources/s${id}`) }))
  const results = [
    { enricher: url('enrichers/1'), findings: [{ kind: 'tag', value: 'a' }] },
    { enricher: url('enrichers/2'), findings: [{ kind: 'tag' }, { kind: 'entity' }] },
    { enricher: url('enrichers/2'), findings: [{ kind: 'entity' }] },
  ]
  assert.deepEqual(sourcesOf(results, enrichers), ['s2'])
})
