import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { json, startProvider } from '../../test/provider.ts'

test('an address on this machine may be called, other private ones only if the operator allows it', async () => {
  const strict = await startApp()
  const provider = await startProvider(json({ data: [] }))
  try {
    const put = async (base_url: string) => {
      const data = { type: 'ai-provider-openai-like', base_url, api_key: 'k-9' }
      return (await strict.call('PUT', 'configurations/ai', { data })).body.data
    }
    for (const [base_url, reason] of [
      [
        'http://10.0.0.1:8080',
        /^The provider could not be reached: 10\.0\.0\.1 must be called over https, or CORVUS_ALLOWED_NETWORKS/,
      ],
      ['https://169.254.169.254', /^The provider could not be reached: 169\.254\.169\.254 is not a public address/],
    ] as const) {
      const record = await put(base_url)
      assert.equal(record.integration_status, 'error')
      assert.match(record.error_detail, reason)
    }
    assert.equal(provider.asked.length, 0)
    assert.equal((await put(provider.url)).integration_status, 'success')
    assert.equal((await put(provider.url.replace('127.0.0.1', 'localhost'))).integration_status, 'success')
  } finally {
    await strict.stop()
    await provider.stop()
  }
})
