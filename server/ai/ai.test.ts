import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, mock, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { json, startProvider } from '../../test/provider.ts'

const TOKEN = '<PASS_THROUGH_TOKEN>'
const LIKE = 'ai-provider-openai-like'
const OLLAMA = 'ai-provider-ollama'
const NAMES = ['ai-features', LIKE, OLLAMA, 'ai-provider-openai', 'ai-provider-perplexity']
const MODELS = { data: [{ id: 'small' }, { id: 'large', owned_by: 'x' }, { id: 'text-embedding-3-small' }] }

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startProvider>>
before(async () => {
  corvus = await startApp(undefined, { environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' } })
})
after(() => corvus.stop())
beforeEach(async () => {
  await corvus.pool.query('delete from settings')
  provider = await startProvider(json(MODELS))
})
afterEach(() => provider.stop())

type Item = Record<string, unknown>
const put = (record: Item) => corvus.call('PUT', 'configurations/ai', { data: record })
const list = async (): Promise<Item[]> => (await corvus.call('GET', 'configurations/ai')).body.data
const get = async (type: string) => (await list()).find((record) => record.type === type) ?? {}
const model = (id: string) => ({ id, name: id })

test('the five records are listed with their defaults, and no provider is called', async () => {
  const { body } = await corvus.call('GET', 'configurations/ai')
  assert.deepEqual([body.count, body.total_count, body.cursor], [5, 5, null])
  const common = {
    enabled: false,
    api_key: null,
    base_url: null,
    models: [],
    embedding_models: [],
    selected_embedding_model: null,
    error_detail: null,
    features_count: 0,
    integration_status: 'not configured',
    max_tlp: 'GREEN',
    monthly_token_budget: null,
    prompt_price: null,
    answer_price: null,
    last_updated_at: null,
  }
  const [features, ...providers] = body.data
  const outside = { read_only: false, basic_auth: null, ca_path: null, proxy: null, verify_ssl: true }
  assert.deepEqual(providers, [
    { type: LIKE, ...common },
    { type: OLLAMA, ...common, ...outside, max_tlp: 'RED' },
    { type: 'ai-provider-openai', ...common },
    { type: 'ai-provider-perplexity', ...common },
  ])
  const unused = { model: null, provider: null, is_provider_configured: false }
  assert.deepEqual(features, {
    type: 'ai-features',
    ai_assistant: { ...unused, rag_state: 'not-configured' },
    ai_content_generation: unused,
    ai_contextual_relevancy: unused,
    ai_entity_extraction: unused,
    ai_intel_summary: unused,
    ai_translation: unused,
    ai_web_enrichment: { ...unused, rag_state: 'not-configured' },
    ai_writing_assistant: unused,
    nlp_to_search: unused,
    last_updated_at: null,
  })
  assert.equal(provider.asked.length, 0)
})

test('a configured provider is asked for its models with its key', async () => {
  const { status, body } = await put({ type: LIKE, enabled: true, base_url: `${provider.url}/v1/`, api_key: 'k-1' })
  assert.equal(status, 200, JSON.stringify(body))
  assert.partialDeepStrictEqual(body.data, {
    type: LIKE,
    enabled: true,
    api_key: TOKEN,
    base_url: `${provider.url}/v1/`,
    integration_status: 'success',
    error_detail: null,
  })
  assert.deepEqual(body.data.models, ['large', 'small', 'text-embedding-3-small'].map(model))
  assert.deepEqual(body.data.embedding_models, [model('text-embedding-3-small')])
  assert.deepEqual(
    provider.asked.map(({ method, url, headers }) => [method, url, headers.authorization]),
    [['GET', '/v1/models', 'Bearer k-1']],
  )
})

test('Ollama is asked for its tags, with a bearer token only if it has a key', async () => {
  provider.says(json({ models: [{ name: 'llama3:8b', size: 1 }] }))
  const { body } = await put({ type: OLLAMA, enabled: true, base_url: provider.url })
  assert.deepEqual([body.data.models, body.data.integration_status], [[model('llama3:8b')], 'success'])
  await put({ type: OLLAMA, enabled: true, base_url: provider.url, api_key: 'k-2' })
  assert.deepEqual(
    provider.asked.map(({ url, headers }) => [url, headers.authorization]),
    [
      ['/api/tags', undefined],
      ['/api/tags', 'Bearer k-2'],
    ],
  )
})

test('OpenAI and Perplexity require a key and use the configured address', async () => {
  for (const type of ['ai-provider-openai', 'ai-provider-perplexity']) {
    const without = await put({ type, enabled: true, base_url: provider.url })
    assert.equal(without.body.data.integration_status, 'no key')
    assert.equal(provider.asked.length, 0)
    const { body } = await put({ type, enabled: true, base_url: provider.url, api_key: 'k-3' })
    assert.deepEqual([body.data.integration_status, provider.asked.length], ['success', 1])
    provider.asked.length = 0
  }
})

test('sending the placeholder keeps the key, another value replaces it, and a PUT without it clears it', async () => {
  const record = { type: LIKE, base_url: provider.url }
  await put({ ...record, api_key: 'first' })
  await put({ ...record, api_key: TOKEN })
  await put({ ...record, api_key: 'second' })
  assert.equal((await put(record)).body.data.api_key, null)
  assert.deepEqual(
    provider.asked.map(({ headers }) => headers.authorization),
    ['Bearer first', 'Bearer first', 'Bearer second', undefined],
  )
})

test('a provider is asked again on reading if its last answer is over a minute old', async () => {
  await put({ type: LIKE, base_url: provider.url })
  await Promise.all([list(), list()])
  assert.equal(provider.asked.length, 1)
  const later = Date.now() + 61_000
  mock.method(Date, 'now', () => later)
  try {
    provider.says(json({ data: [{ id: 'new' }] }))
    await Promise.all([list(), list()])
    assert.deepEqual((await get(LIKE)).models, [model('new')])
    assert.equal(provider.asked.length, 2)
  } finally {
    mock.restoreAll()
  }
})

test('every failure is reported without the key', async () => {
  const key = 'sk-very-secret'
  const other = await startProvider(json(MODELS))
  const answers: [RegExp, Parameters<typeof provider.says>[0]][] = [
    [/^The provider responded with 401: it rejected the key\.$/, json({ error: `Incorrect key ${key}` }, 401)],
    [/^The provider responded with 500\.$/, json({ error: key }, 500)],
    [
      /^The provider responded with 302 .* not followed\.$/,
      (r) => r.writeHead(302, { location: `${other.url}/models` }).end(),
    ],
    [/^The provider did not respond with JSON\.$/, (r) => r.end(key)],
    [/^The provider did not respond with a list of models\.$/, json({ data: key })],
    [/^The provider could not be reached: the connection failed \([A-Z_]+\)\.$/, (r) => r.destroy()],
    [
      /^The provider's response cannot be used: the response is larger than 4194304 bytes\.$/,
      (r) => r.end(' '.repeat(5_000_000)),
    ],
    [/^The provider could not be reached: no complete response within 3 seconds\.$/, () => {}],
  ]
  for (const [detail, answer] of answers) {
    provider.says(answer)
    const { status, body } = await put({ type: LIKE, base_url: provider.url, api_key: key })
    assert.equal(status, 200)
    assert.deepEqual([body.data.integration_status, body.data.models], ['error', []])
    assert.match(body.data.error_detail, detail)
    assert.ok(!JSON.stringify(body).includes(key))
  }
  assert.equal(other.asked.length, 0, 'a redirect is not followed')
  await other.stop()
  const { body } = await put({ type: LIKE, base_url: other.url, api_key: key })
  assert.equal(body.data.error_detail, 'The provider could not be reached: the connection failed (ECONNREFUSED).')
})

test('a model named like the key is not shown', async () => {
  provider.says((response, { headers }) => json({ data: [{ id: headers.authorization }, { id: 'a' }] })(response))
  const { body } = await put({ type: LIKE, base_url: provider.url, api_key: 'sk-echo' })
  assert.deepEqual(body.data.models, [model('a')])
})

test('features name a model and a provider, which counts them', async () => {
  const used = { model: 'large', provider: LIKE }
  const features = { type: 'ai-features', ai_translation: used, nlp_to_search: { model: null, provider: LIKE } }
  const early = await put(features)
  assert.equal(early.status, 200, JSON.stringify(early.body))
  assert.deepEqual(early.body.data.ai_translation, { ...used, is_provider_configured: false })
  assert.deepEqual(early.body.data.ai_intel_summary, { model: null, provider: null, is_provider_configured: false })
  const set = await put({ type: LIKE, base_url: provider.url })
  assert.equal(set.body.data.features_count, 2)
  assert.equal(((await get('ai-features')).ai_translation as Item).is_provider_configured, false, 'not enabled')
  await put({ type: LIKE, base_url: provider.url, enabled: true })
  assert.equal(((await get('ai-features')).ai_translation as Item).is_provider_configured, true)
})

test('read-only fields are ignored on input', async () => {
  const { body } = await put({
    type: OLLAMA,
    base_url: provider.url,
    read_only: true,
    verify_ssl: false,
    models: [model('mine')],
    integration_status: 'error',
    features_count: 9,
  })
  assert.partialDeepStrictEqual(body.data, { read_only: false, verify_ssl: true, features_count: 0 })
  const features = await put({
    type: 'ai-features',
    ai_assistant: { model: null, provider: null, is_provider_configured: true, rag_state: 'success' },
  })
  assert.partialDeepStrictEqual(features.body.data.ai_assistant, {
    is_provider_configured: false,
    rag_state: 'not-configured',
  })
})

test('invalid records are rejected with the field name, and no provider is called', async () => {
  const wrong: [Item, string][] = [
    [{}, 'data.type'],
    [{ type: 'ai-provider-unknown' }, 'data.type'],
    [{ type: LIKE }, 'data.base_url: is required'],
    [{ type: OLLAMA, base_url: null }, 'data.base_url'],
    [{ type: LIKE, base_url: 'localhost:1' }, 'data.base_url'],
    [{ type: LIKE, base_url: 'file:///etc/passwd' }, 'data.base_url'],
    [{ type: LIKE, base_url: 'http://user:password@localhost' }, 'data.base_url'],
    [{ type: LIKE, base_url: `${provider.url}?a=b` }, 'data.base_url'],
    [{ type: LIKE, base_url: provider.url, enabled: 'yes' }, 'data.enabled'],
    [{ type: LIKE, base_url: provider.url, api_key: 'a\nb' }, 'data.api_key'],
    [{ type: LIKE, base_url: provider.url, api_key: 7 }, 'data.api_key'],
    [{ type: LIKE, base_url: provider.url, selected_embedding_model: 7 }, 'data.selected_embedding_model'],
    [{ type: 'ai-features', ai_assistant: { model: 'x' } }, 'data.ai_assistant.provider: is required'],
    [{ type: 'ai-features', ai_assistant: { model: 'x', provider: 'mine' } }, 'data.ai_assistant.provider'],
    [{ type: 'ai-features', nlp_to_search: 7 }, 'data.nlp_to_search'],
  ]
  for (const [record, fault] of wrong) {
    const { status, body } = await put(record)
    assert.equal(status, 400, JSON.stringify(record))
    assert.equal(body.length, 1)
    assert.ok(body[0].detail.startsWith(fault), `${body[0].detail} is not ${fault}`)
  }
  assert.equal(provider.asked.length, 0)
  assert.ok((await list()).every(({ last_updated_at }) => last_updated_at === null))
})

test('the five names match the specification', async () => {
  assert.deepEqual(
    (await list()).map(({ type }) => type),
    NAMES,
  )
})
