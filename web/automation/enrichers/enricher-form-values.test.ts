import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Enricher } from '../../api/resources.ts'
import { bodyOf, faultNames, formOf, freeName, newEnricher } from './enricher-form-values.ts'
import type { EnricherFunction } from './enricher-queries.ts'

const TOKEN = '<PASS_THROUGH_TOKEN>'

const own: EnricherFunction = {
  name: 'builtin:own_service',
  title: 'Own web service',
  description: '',
  supported_types: ['ipv4', 'domain'],
  parameters: {
    type: 'object',
    properties: {
      url: { type: 'string', title: 'Address' },
      api_key: { type: 'string', format: 'password' },
      days: { type: 'integer', default: 30 },
    },
    required: ['url'],
  },
  secrets: ['api_key'],
  limits: [{ calls: 500, seconds: 86_400 }],
  is_remote: true,
  requests_per_look_up: 1,
  source_urls: {},
  set_up: null,
  is_own: false,
}

const stored = {
  name: 'ours',
  description: '',
  enricher: own.name,
  supported_observable_types: ['ipv4'],
  parameters: { url: 'https://a.example/', api_key: TOKEN, days: 7 },
  limits: [],
  rate_limit: null,
  execution_cap: 0,
  concurrency: 2,
  cache_validity: 5_400,
  max_tlp: null,
  tlp_color: 'AMBER',
  source_reliability: 'B',
  cost_per_call: 0.02,
  is_active: true,
} as unknown as Enricher

test('a new enricher takes types, limits and colour from its function, and a name that is free', () => {
  const form = newEnricher(own, ['own_service', 'own_service_2'])
  assert.equal(form.name, 'own_service_3')
  assert.equal(form.maxTlp, 'GREEN')
  assert.equal(newEnricher({ ...own, is_remote: false }, []).maxTlp, '')
  const body = bodyOf({ ...form, texts: { url: ' https://a.example/ ' } }, own, undefined)
  assert.equal(body.enricher, own.name)
  assert.deepEqual(body.parameters, { url: 'https://a.example/', days: 30 })
  assert.deepEqual(body.limits, own.limits)
  assert.deepEqual(body.supported_observable_types, own.supported_types)
  assert.equal(body.cache_validity, 604_800)
  assert.deepEqual([body.rate_limit, body.execution_cap, body.cost_per_call], [null, null, null])
})

test('names are made of letters, digits and underscores', () => {
  assert.equal(freeName('http:abuse-ch.url', []), 'abuse_ch_url')
})

test('a stored enricher keeps its values, and its secret stays the token', () => {
  const form = formOf(stored, own)
  assert.equal(form.cacheHours, '1.5')
  assert.equal(form.cap, '0')
  const body = bodyOf(form, own, stored)
  assert.deepEqual(body.parameters, stored.parameters)
  assert.equal(body.cache_validity, 5_400)
  assert.equal(body.execution_cap, 0)
  assert.equal('enricher' in body, false)
})

test('an emptied parameter is removed', () => {
  const form = formOf(stored, own)
  const body = bodyOf({ ...form, texts: { ...form.texts, api_key: '', days: '' } }, own, stored)
  assert.deepEqual(body.parameters, { url: 'https://a.example/', api_key: null, days: null })
})

test('without its function, the parameters of an enricher are not sent', () => {
  assert.equal('parameters' in bodyOf(formOf(stored, undefined), undefined, stored), false)
})

test('errors of parameters are found before those of other fields', () => {
  assert.deepEqual(faultNames(own).slice(0, 4), ['parameters.url', 'parameters.api_key', 'parameters.days', 'name'])
})
