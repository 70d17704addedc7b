import type { Context, Item } from '../engine/context.ts'
import type { Stored } from '../settings/setting.ts'
import type { Question } from './models.ts'
import { type OllamaSetup, type Provider, setupOf } from './providers.ts'

/** Whether a provider is ready: either what is missing, or how to list its models. */
export type State =
  | { readonly lacks: 'no key' | 'not configured' }
  | { readonly isEnabled: boolean; readonly question: Question; readonly version: string }

export function stateOf(ctx: Context, provider: Provider, { value, last_updated_at }: Stored): State {
  const setup = setupOf(ctx, provider)
  if (setup) return { isEnabled: true, question: outsideQuestion(provider, setup), version: `environment ${setup.url}` }
  const address = value.base_url ?? provider.address
  if (last_updated_at === null || typeof address !== 'string') return { lacks: 'not configured' }
  if (provider.needsKey && !value.api_key) return { lacks: 'no key' }
  const question = questionOf(provider, address, keyIn(ctx, value), ctx.outbound)
  return { isEnabled: value.enabled === true, question, version: last_updated_at }
}

/** The key of a record; undefined if it is sealed with a secret key that the server no longer has. */
function keyIn({ vault }: Context, { api_key: sealed }: Item): string | null | undefined {
  if (typeof sealed !== 'string') return null
  try {
    return vault.open(sealed)
  } catch {
    return undefined
  }
}

function questionOf(
  { listPath }: Provider,
  baseUrl: string,
  key: string | null | undefined,
  outbound: Question['outbound'] = null,
): Question {
  return {
    url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}${listPath}`,
    authorization: key ? `Bearer ${key}` : null,
    caPath: null,
    verifySsl: true,
    proxy: null,
    outbound,
    secrets: key ? [key] : [],
    isLocked: key === undefined,
  }
}

function outsideQuestion(provider: Provider, setup: OllamaSetup): Question {
  const { username, password = '', apiKey = null } = setup
  const plain = questionOf(provider, setup.url, apiKey)
  const basic = username === undefined ? null : `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return {
    ...plain,
    authorization: plain.authorization ?? basic,
    caPath: setup.caPath ?? null,
    verifySsl: setup.verifySsl,
    proxy: setup.proxy ?? null,
    secrets: [...plain.secrets, ...(password === '' ? [] : [password])],
  }
}
