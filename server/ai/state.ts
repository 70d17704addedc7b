import type { Item } from '../engine/context.ts'
import type { Outbound } from '../ports/outbound.ts'
import type { Server } from '../server.ts'
import type { Stored } from '../settings/setting.ts'
import type { Endpoint } from './calling/endpoint.ts'
import { portFor } from './calling/model-ports.ts'
import { type OllamaSetup, type Provider, setupOf } from './providers.ts'

/** Whether a provider is ready: either what is missing, or how to reach it. */
export type State =
  | { readonly lacks: 'no key' | 'not configured' }
  | { readonly isEnabled: boolean; readonly endpoint: Endpoint; readonly version: string }

export function stateOf(ctx: Server, provider: Provider, { value, last_updated_at }: Stored): State {
  const { modelPorts } = ctx
  if (!modelPorts) return { lacks: 'not configured' }
  const setup = setupOf(ctx, provider)
  if (setup)
    return {
      isEnabled: true,
      endpoint: operatorsEndpoint(provider, setup, modelPorts.operator),
      version: `environment ${setup.url}`,
    }
  const address = value.base_url ?? provider.address
  if (last_updated_at === null || typeof address !== 'string') return { lacks: 'not configured' }
  if (provider.needsKey && !value.api_key) return { lacks: 'no key' }
  const endpoint = endpointOf(provider, address, keyIn(ctx, value), portFor(modelPorts, address))
  return { isEnabled: value.enabled === true, endpoint, version: last_updated_at }
}

/** The key of a record; undefined if it is sealed with a secret key that the server no longer has. */
function keyIn({ vault }: Server, { api_key: sealed }: Item): string | null | undefined {
  if (typeof sealed !== 'string') return null
  try {
    return vault.open(sealed)
  } catch {
    return undefined
  }
}

const endpointOf = ({ name }: Provider, url: string, key: string | null | undefined, port: Outbound): Endpoint => ({
  provider: name,
  url,
  authorization: key ? `Bearer ${key}` : null,
  secrets: key ? [key] : [],
  isLocked: key === undefined,
  port,
  caPath: null,
  isVerified: true,
  proxy: null,
})

function operatorsEndpoint(provider: Provider, setup: OllamaSetup, port: Outbound): Endpoint {
  const { username, password = '', apiKey = null } = setup
  const plain = endpointOf(provider, setup.url, apiKey, port)
  const basic = username === undefined ? null : `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return {
    ...plain,
    authorization: plain.authorization ?? basic,
    secrets: [...plain.secrets, ...(password === '' ? [] : [password])],
    caPath: setup.caPath ?? null,
    isVerified: setup.verifySsl,
    proxy: setup.proxy ?? null,
  }
}
