import { LRUCache } from 'lru-cache'
import * as openid from 'openid-client'
import type { BodyInit } from 'undici'
import { unavailable } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import type { Outbound } from '../../ports/outbound.ts'
import { faultOf, SignInFault } from './fault.ts'

/** What is needed to talk to a provider. */
export interface Provider {
  readonly issuer: string
  readonly client_id: string
  /** Sealed; null where the provider asks for none. */
  readonly client_secret: string | null
}

export type Connection = openid.Configuration

type Part = Pick<Context, 'vault' | 'outbound'>

const LIMITS = { timeoutMs: 10_000, mostBytes: 1024 * 1024, isConfidential: true }
const MEMORY = { max: 100, ttl: 300_000 }

/** What providers said of themselves, for a while: whoever opens the sign-in page must not make us call them each time. */
const known = new WeakMap<Outbound, LRUCache<string, Connection>>()

/** A provider as it described itself in the last minutes. */
export async function recallProvider(ctx: Part, provider: Provider): Promise<Connection> {
  const memory = memoryOf(ctx)
  const key = JSON.stringify([provider.issuer, provider.client_id, provider.client_secret])
  const remembered = memory.get(key)
  if (remembered) return remembered
  const connection = await askProvider(ctx, provider)
  memory.set(key, connection)
  return connection
}

/** Asks a provider where its endpoints are; whatever follows goes to those, through the one way to call other servers. */
export async function askProvider(ctx: Part, { issuer, client_id, client_secret }: Provider): Promise<Connection> {
  const server = new URL(issuer)
  const secret = client_secret === null ? null : ctx.vault.open(client_secret)
  const isPlain = server.protocol === 'http:'
  try {
    const connection = await openid.discovery(server, client_id, {}, proofBy(secret), {
      [openid.customFetch]: fetchThrough(outboundOf(ctx)),
      // Without them, tokens would be believed because of where they come from.
      execute: [openid.enableNonRepudiationChecks, ...(isPlain ? [openid.allowInsecureRequests] : [])],
    })
    // The library makes exceptions for services whose tokens have any of many issuers: here an issuer is part of who somebody is.
    if (new URL(connection.serverMetadata().issuer).href !== server.href) {
      throw new SignInFault('invalid_answer', 'The provider calls itself by another issuer.')
    }
    return connection
  } catch (error) {
    throw faultOf(error)
  }
}

/** The methods by which a client proves itself that we know, the best first. */
export const PROOFS = ['client_secret_basic', 'client_secret_post']

/** The secret goes to the provider in the way that it wants. */
function proofBy(secret: string | null): openid.ClientAuth {
  if (secret === null) return openid.None()
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? PROOFS
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
  if (!outbound) throw unavailable('This process calls no other servers.')
  return outbound
}

function memoryOf(ctx: Part): LRUCache<string, Connection> {
  const outbound = outboundOf(ctx)
  const memory = known.get(outbound) ?? new LRUCache(MEMORY)
  known.set(outbound, memory)
  return memory
}
