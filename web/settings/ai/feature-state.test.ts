import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignedOf, assignToAll, stateOf } from './feature-state.ts'
import type { FeaturesRecord, ProviderRecord } from './records.ts'

const OLLAMA = {
  type: 'ai-provider-ollama',
  enabled: true,
  integration_status: 'success',
  error_detail: null,
} as ProviderRecord
const record = (item: object) => ({ ai_assistant: item }) as unknown as FeaturesRecord
const ASSIGNED = { provider: OLLAMA.type, model: 'small', is_provider_configured: true }

const labelOf = (item: object, provider: object = {}, isAllowed = true) =>
  stateOf('ai_assistant', record(item), [{ ...OLLAMA, ...provider }], isAllowed).label
const detailOf = (item: object, provider: object = {}, isAllowed = true) =>
  stateOf('ai_assistant', record(item), [{ ...OLLAMA, ...provider }], isAllowed).detail

test('a feature is on with an allowed, enabled provider that answers, and a model', () => {
  assert.equal(labelOf(ASSIGNED), 'On')
  assert.equal(labelOf({ ...ASSIGNED, provider: null }), 'Off')
  assert.equal(labelOf({ ...ASSIGNED, model: null }), 'No model')
})

test('what is missing is named', () => {
  const unusable = { ...ASSIGNED, is_provider_configured: false }
  assert.equal(detailOf(unusable, { enabled: false }), 'Ollama is disabled.')
  assert.equal(detailOf(unusable, { integration_status: 'not configured' }), 'Ollama is not set up.')
  assert.equal(detailOf(ASSIGNED, {}, false), 'Providers are not allowed yet.')
  assert.equal(detailOf(ASSIGNED, { integration_status: 'error', error_detail: 'Refused.' }), 'Refused.')
  assert.match(detailOf({ ...ASSIGNED, rag_state: 'not-configured' }) ?? '', /found by their words/)
})

test('one model can be assigned to all features', () => {
  const all = assignToAll(assignedOf(record(ASSIGNED)), { provider: 'ai-provider-openai', model: 'm' })
  assert.equal(Object.keys(all).length, 9)
  assert.deepEqual(all.nlp_to_search, { provider: 'ai-provider-openai', model: 'm' })
})
