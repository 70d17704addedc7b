import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { useProvider } from '../../test/set-up/ai.ts'
import { json, startScriptedProvider } from '../../test/set-up/scripted-provider.ts'

const LIKE = 'ai-provider-openai-like'

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
before(async () => {
  corvus = await startApp()
})
beforeEach(async () => {
  await corvus.pool.query('delete from settings')
  await corvus.pool.query('delete from ai_requests')
  provider = await startScriptedProvider(({ schema }) => (schema ? '{"works": true}' : 'OK'))
})
afterEach(() => provider.stop())
after(() => corvus.stop())

const run = async (data: object) => {
  const { status, body } = await corvus.call('POST', 'configurations/ai/test', { data })
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}
const shown = ({ checks }: { checks: { name: string; status: string; model: string | null; detail: string }[] }) =>
  checks.map(({ name, status, model, detail }) => [name, status, model, detail])

test('a provider that works is tested with the chosen models, and the test is counted', async () => {
  await useProvider(corvus, provider, ['nlp_to_search'], {
    enabled: false,
    selected_embedding_model: 'text-embedding-scripted',
    prompt_price: 1000,
  })
  const result = await run({ type: LIKE })
  assert.deepEqual([result.status, result.error_detail], ['success', null])
  assert.deepEqual(shown(result), [
    ['models', 'success', null, '2 models.'],
    ['chat', 'success', 'scripted', 'The model answered.'],
    ['form', 'success', 'scripted', 'The model answered in the form that was asked for.'],
    ['embedding', 'success', 'text-embedding-scripted', 'Vectors of 64 numbers.'],
  ])
  const { rows } = await corvus.pool.query('select feature, outcome, prompt_tokens, cost from ai_requests order by id')
  const counted = { feature: 'connection_test', outcome: 'success', prompt_tokens: 11, cost: '0.011' }
  assert.deepEqual(rows, [counted, counted, { ...counted, prompt_tokens: 16, cost: '0.016' }])
})

test('a test says what does not work, and why', async () => {
  await useProvider(corvus, provider, [])
  provider.says(() => 'OK')
  const lacking = await run({ type: LIKE, model: 'other', embedding_model: 'none' })
  assert.deepEqual(shown(lacking).slice(2), [
    ['form', 'error', 'other', 'The answer of the model does not have the expected form.'],
    ['embedding', 'success', 'none', 'Vectors of 64 numbers.'],
  ])
  provider.plays(
    ({ authorization }) =>
      (response) =>
        json(response, { error: { message: authorization } }, 401),
  )
  const refused = await run({ type: LIKE })
  const rejected = 'The provider responded with 401: it rejected the key.'
  assert.deepEqual([refused.status, refused.error_detail], ['error', rejected])
  assert.ok(!JSON.stringify(refused).includes('key-of-tests'))
  const other = await startScriptedProvider()
  await useProvider(corvus, other, [])
  await other.stop()
  const gone = await run({ type: LIKE, model: 'scripted' })
  assert.deepEqual(
    gone.checks.map(({ status }: { status: string }) => status),
    ['error', 'error', 'error'],
  )
})

test('nothing is tested without consent, a record and the permission', async () => {
  const refused = async (reason: RegExp, type = LIKE) => {
    const { status, body } = await corvus.call('POST', 'configurations/ai/test', { data: { type } })
    assert.equal(status, 409, JSON.stringify(body))
    assert.match(body[0].detail, reason)
  }
  await refused(/not allowed/)
  await useProvider(corvus, provider, [])
  await refused(/ai-provider-ollama is not set up: its address is missing/, 'ai-provider-ollama')
  await corvus.call('PATCH', 'configurations/server', { data: { ai_providers_usage_consented: false } })
  await refused(/not allowed/)
  const reader = await corvus.tokenFor(['read configurations'])
  assert.equal((await corvus.call('POST', 'configurations/ai/test', { data: { type: LIKE } }, reader)).status, 403)
  assert.deepEqual(provider.prompts, [])
})

test('features are listed by provider while they can be used, and only for those who may', async () => {
  const read = async (token = corvus.admin) => (await corvus.call('GET', 'ai/features', undefined, token)).body.data
  const none = { type: 'feature-availability', settings: {}, max_tlp: {} }
  assert.deepEqual(await read(), none)
  await useProvider(corvus, provider, ['ai_translation', 'ai_assistant'], { max_tlp: 'AMBER' })
  const all = { settings: { [LIKE]: ['ai_assistant', 'ai_translation'] }, max_tlp: { [LIKE]: 'AMBER' } }
  assert.deepEqual(await read(), { ...none, ...all })
  assert.deepEqual(await read(await corvus.tokenFor(['read configurations'])), { ...none, ...all })
  assert.deepEqual(await read(await corvus.tokenFor(['read entities'])), none)
  await useProvider(corvus, provider, ['ai_translation'], { enabled: false })
  assert.deepEqual(await read(), none)
})
