import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { json, startProvider } from '../../test/provider.ts'

const TOKEN = '<PASS_THROUGH_TOKEN>'
const LIKE = 'ai-provider-openai-like'
const OLLAMA = 'ai-provider-ollama'

let provider: Awaited<ReturnType<typeof startProvider>>
before(async () => {
  provider = await startProvider(json({ models: [{ name: 'llama3:8b' }] }))
})
after(() => provider.stop())

type Item = Record<string, unknown>
const model = (id: string) => ({ id, name: id })

test('an Ollama set up through the environment is shown without secrets and cannot be changed', async () => {
  const environment = {
    CORVUS_OLLAMA_URL: provider.url,
    CORVUS_OLLAMA_USERNAME: 'crow',
    CORVUS_OLLAMA_PASSWORD: 'feather-7',
    CORVUS_OLLAMA_CA: '',
  }
  const app = await startApp(undefined, { environment })
  try {
    const { body } = await app.call('GET', 'configurations/ai')
    const record = body.data.find(({ type }: Item) => type === OLLAMA)
    assert.partialDeepStrictEqual(record, {
      enabled: true,
      read_only: true,
      base_url: provider.url,
      basic_auth: ['crow', TOKEN],
      api_key: null,
      ca_path: null,
      proxy: null,
      verify_ssl: true,
      integration_status: 'success',
      last_updated_at: null,
    })
    assert.deepEqual(record.models, [model('llama3:8b')])
    const basic = `Basic ${Buffer.from('crow:feather-7').toString('base64')}`
    assert.equal(provider.asked[0]?.headers.authorization, basic)
    assert.ok(!JSON.stringify(body).includes('feather-7'))
    const refused = await app.call('PUT', 'configurations/ai', {
      data: { type: OLLAMA, base_url: 'http://127.0.0.1:1' },
    })
    assert.equal(refused.status, 409)
    assert.match(refused.body[0].detail, /CORVUS_OLLAMA_URL/)
    const other = await app.call('PUT', 'configurations/ai', { data: { type: LIKE, base_url: provider.url } })
    assert.equal(other.status, 200)
  } finally {
    await app.stop()
  }
})

test('an Ollama behind a proxy is called only through that proxy', async () => {
  const proxy = await startProvider(json({ models: [{ name: 'behind' }] }))
  const environment = { CORVUS_OLLAMA_URL: 'http://ollama.invalid:11434', CORVUS_OLLAMA_PROXY: proxy.url }
  const app = await startApp(undefined, { environment: { ...environment, CORVUS_OLLAMA_API_KEY: 'k-5' } })
  try {
    const { body } = await app.call('GET', 'configurations/ai')
    const record = body.data.find(({ type }: Item) => type === OLLAMA)
    assert.deepEqual([record.models, record.proxy, record.api_key], [[model('behind')], proxy.url, TOKEN])
    assert.equal(proxy.asked[0]?.headers.authorization, 'Bearer k-5')
  } finally {
    await app.stop()
    await proxy.stop()
  }
})
