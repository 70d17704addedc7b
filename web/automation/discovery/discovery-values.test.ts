import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DiscoveryRule } from '../../api/resources.ts'
import { discoveryBody, discoveryInWords, discoveryValues, matchParameters } from './discovery-values.ts'

const rule = {
  name: 'Banking',
  description: null,
  is_active: true,
  keywords: ['emotet', 'say "hi"'],
  match_keywords_in: ['title', 'tags'],
  search_query: null,
  entity_types: ['report'],
  sources: ['http://corvus.example/api/v2/sources/8b4f2d8e-0000-4000-8000-000000000000'],
  workspaces: ['http://corvus.example/api/v2/workspaces/3'],
  execution_schedule: { cron: '0 3 * * *', interval: null, time_zone: 'Europe/Amsterdam' },
} as unknown as DiscoveryRule

test('a stored discovery rule survives a round trip through the form', () => {
  assert.deepEqual(discoveryBody(discoveryValues(rule)), {
    ...rule,
    sources: ['8b4f2d8e-0000-4000-8000-000000000000'],
    workspaces: [3],
  })
})

test('the preview asks for entities with one of the keywords in one of the chosen places', () => {
  const values = { ...discoveryValues(rule), query: 'a OR b' }
  assert.deepEqual(matchParameters(values), {
    query:
      '+(data.title:"emotet" OR meta.tags:"emotet" OR data.title:"say \\"hi\\"" OR meta.tags:"say \\"hi\\"") +(a OR b)',
    'filter[type]': ['report'],
    'filter[sources]': ['8b4f2d8e-0000-4000-8000-000000000000'],
  })
  assert.equal(matchParameters({ ...values, places: [] }), undefined)
  assert.equal(matchParameters(discoveryValues()), undefined)
  assert.deepEqual(matchParameters({ ...discoveryValues(), entityTypes: ['tool'] }), { 'filter[type]': ['tool'] })
})

test('a discovery rule is described in words', () => {
  assert.deepEqual(discoveryInWords(rule, ['Open feed']), [
    '“emotet” or “say "hi"” in title or tags',
    'Report',
    'from Open feed',
  ])
})
