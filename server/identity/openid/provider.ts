import { LRUCache } from 'lru-cache'
import * as openid from 'openid-client'
import type { BodyInit } from 'undici'
import type { Context } from '../../engine/context.ts'
import { unavailable } from '../../engine/errors.ts'
import type { Outbound } from '../../ports/outbound.ts'
import { faultOf, SignInFault } from './fault.ts'

/** The settings needed to call a provider. */
export interface Provider {
  readonly issuer: string
  readonly client_id: string
  /** Sealed; null if the provider requires no secret. */
  readonly client_secret: string | null
}

export type Connection = openid.Configuration

type Part = Pick<Context, 'vault' | 'outbound'>

const LIMITS = { timeoutMs: 10_000, mostBytes: 1024 * 1024, isConfidential: true }
const MEMORY = { max: 100, ttl: 300_000 }

/**
 * Provider metadata, cached for a few minutes so that opening the sign-in page does not call the provider each time.
 */
const known = new WeakMap<Outbound, LRUCache<string, Connection>>()

/** Returns a provider with cached metadata. */
export async function cachedProvider(ctx: Part, provider: Provider): Promise<Connection> {
  const memory = memoryOf(ctx)
  const key = JSON.stringify([provider.issuer, provider.client_id, provider.client_secret])
  const remembered = memory.get(key)
  if (remembered) return remembered
  const connection = await discoverProvider(ctx, provider)
  memory.set(key, connection)
  return connection
}

/** Runs discovery. All later calls go to the discovered endpoints through the outbound port. */
export async function discoverProvider(ctx: Part, { issuer, client_id, client_secret }: Provider): Promise<Connection> {
  const server = new URL(issuer)
  const secret = client_secret === null ? null : ctx.vault.open(client_secret)
  const isPlain = server.protocol === 'http:'
  try {
    const connection = await openid.discovery(server, client_id, {}, clientAuth(secret), {
      [openid.customFetch]: fetchThrough(outboundOf(ctx)),
      // Without this check, a token would be trusted merely because of the connection it came through.
      execute: [openid.enableNonRepudiationChecks, ...(isPlain ? [openid.allowInsecureRequests] : [])],
    })
    // The library makes exceptions for services that issue tokens under many issuers, but here the issuer is part of
    // a user's identity.
    if (new URL(connection.serverMetadata().issuer).href !== server.href) {
      throw new SignInFault('invalid_answer', "The provider's metadata names a different issuer.")
    }
    return connection
  } catch (error) {
    throw faultOf(error)
  }
}

/** The supported client authentication methods, the preferred one first. */
export const CLIENT_AUTH_METHODS = ['client_secret_basic', 'client_secret_post']

/** Sends the secret in the way that the provider requires. */
function clientAuth(secret: string | null): openid.ClientAuth {
  if (secret === null) return openid.None()
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? CLIENT_AUTH_METHODS
    return methods.includes('client_secret_basic') ? basic(server, ...rest) : post(server, ...rest)
  }
}

const fetchThrough =
  (outbound: Outbound): openid.CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const init = { method, headers, body: body as BodyInit, ...(signal && { signal }) }
    const { status, headers: answered, body: bytes } = await outbound.fetch(url, init, LIMITS)
    const isEmpty = status === 204 || status === 205 || status === 304
    return new Response(isEmpty ? null : new Uint8Array(bytes), { status, headers: [...answered] })
  }

function outboundOf({ outbound }: Part): Outbound {
  if (!outbound) throw unavailable('This process does not call other servers.')
  return outbound
}

function memoryOf(ctx: Part): LRUCache<string, Connection> {
  const outbound = outboundOf(ctx)
  const memory = known.get(outbound) ?? new LRUCache(MEMORY)
  known.set(outbound, memory)
  return memory
}
