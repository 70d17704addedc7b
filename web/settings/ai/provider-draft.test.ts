import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, draftOf } from './provider-draft.ts'
import type { ProviderRecord } from './records.ts'

const RECORD: ProviderRecord = {
  type: 'ai-provider-openai',
  last_updated_at: '2026-11-09T09:00:00Z',
  enabled: false,
  base_url: null,
  api_key: '<PASS_THROUGH_TOKEN>',
  max_tlp: 'GREEN',
  monthly_token_budget: 5000,
  prompt_price: 0.5,
  answer_price: null,
  selected_embedding_model: null,
  models: [],
  embedding_models: [],
  error_detail: null,
  features_count: 0,
  integration_status: 'success',
}

test('a provider that is not changed is sent as it was, with the placeholder of its key', () => {
  const body = bodyOf(RECORD, draftOf(RECORD))
  const { type, enabled, base_url, api_key, max_tlp, monthly_token_budget, prompt_price, answer_price } = RECORD
  const same = { type, enabled, base_url, api_key, max_tlp, monthly_token_budget, prompt_price, answer_price }
  assert.deepEqual(body, { ...same, selected_embedding_model: null })
})

test('inputs are sent as numbers and names, and empty ones as null', () => {
  const draft = { ...draftOf(RECORD), monthly_token_budget: '', answer_price: '2', base_url: ' http://a.example ' }
  const { monthly_token_budget, answer_price, base_url } = bodyOf(RECORD, draft)
  assert.deepEqual([monthly_token_budget, answer_price, base_url], [null, 2, 'http://a.example'])
})

test('a key is replaced, removed or kept', () => {
  const keyOf = (api_key: string | null) => bodyOf(RECORD, { ...draftOf(RECORD), api_key }).api_key
  assert.deepEqual([keyOf('new'), keyOf(null), keyOf('')], ['new', null, '<PASS_THROUGH_TOKEN>'])
})

test('a provider that is set up for the first time is enabled unless the administrator decides otherwise', () => {
  assert.equal(draftOf({ ...RECORD, last_updated_at: null }).enabled, true)
  assert.equal(draftOf(RECORD).enabled, false)
})
