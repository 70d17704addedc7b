import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { json, startProvider } from '../../test/provider.ts'

test('a private address is called only if the operator allows it, and otherwise never over http', async () => {
  const strict = await startApp()
  const provider = await startProvider(json({ data: [] }))
  try {
    for (const [base_url, reason] of [
      [
        provider.url,
        /^The provider could not be reached: 127\.0\.0\.1 must be called over https, or CORVUS_ALLOWED_NETWORKS/,
      ],
      ['https://169.254.169.254', /^The provider could not be reached: 169\.254\.169\.254 is not a public address/],
    ] as const) {
      const data = { type: 'ai-provider-openai-like', base_url, api_key: 'k-9' }
      const { body } = await strict.call('PUT', 'configurations/ai', { data })
      assert.equal(body.data.integration_status, 'error')
      assert.match(body.data.error_detail, reason)
    }
    assert.equal(provider.asked.length, 0)
  } finally {
    await strict.stop()
    await provider.stop()
  }
})
