import assert from 'node:assert/strict'
import type { FEATURES } from '../../server/ai/features.ts'
import type { ProviderName } from '../../server/ai/providers.ts'
import type { startApp } from '../app.ts'
import type { startScriptedProvider } from './scripted-provider.ts'

type App = Pick<Awaited<ReturnType<typeof startApp>>, 'call'>
type Provider = Pick<Awaited<ReturnType<typeof startScriptedProvider>>, 'url'>
type Item = Record<string, unknown>

/** Allows AI providers, sets one up, and assigns it to these features. */
export async function useProvider(
  { call }: App,
  provider: Provider,
  features: readonly (typeof FEATURES)[number][],
  { type = 'ai-provider-openai-like', ...more }: { type?: ProviderName } & Item = {},
): Promise<void> {
  const put = async (path: string, method: 'PUT' | 'PATCH', data: Item) => {
    const { status, body } = await call(method, path, { data })
    assert.equal(status, 200, JSON.stringify(body))
  }
  await put('configurations/server', 'PATCH', { ai_providers_usage_consented: true })
  await put('configurations/ai', 'PUT', {
    type,
    enabled: true,
    base_url: provider.url,
    api_key: 'key-of-tests',
    ...more,
  })
  const chosen = { provider: type, model: 'scripted' }
  await put('configurations/ai', 'PUT', {
    type: 'ai-features',
    ...Object.fromEntries(features.map((feature) => [feature, chosen])),
  })
}
