import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Dispatcher, RequestInit, Response } from 'undici'
import type { Network } from './outbound/networks.ts'
import { OutboundError, reasonOf } from './outbound/outbound-error.ts'
import { isLocalPort, notConfidential, notPublic, reachOf, readAddress } from './outbound/reach.ts'
import { type Question, type Resolved, resolveName } from './outbound/resolve.ts'

export { isInNetworks, isInternal, type Network, readNetwork } from './outbound/networks.ts'
export { OutboundError, type OutboundFault } from './outbound/outbound-error.ts'
export { type Question, RECORD_TYPES, type RecordType, type Resolved, readServer } from './outbound/resolve.ts'

export interface Limits {
  /** For the whole exchange, including the body. */
  readonly timeoutMs: number
  /** For the response body. */
  readonly mostBytes: number
  /** Whether the content is confidential: http is then used only on networks that the operator allows. */
  readonly isConfidential?: boolean
}

/** A complete response from another server. */
export interface Fetched {
  readonly status: number
  readonly headers: Response['headers']
  readonly body: Buffer
}

/** Limits of an exchange whose response is streamed. */
export interface StreamLimits {
  /** For the whole exchange, including redirects and bodies. */
  readonly timeoutMs: number
  /** For any period without data. */
  readonly idleMs: number
  /** For the response body, both as received and decompressed. */
  readonly mostBytes: number
  /** Whether the content is confidential: http is then used only on networks that the operator allows. */
  readonly isConfidential?: boolean
}

/** The request to send. A streamed body needs a `content-length` header, otherwise it is sent in chunks. */
export interface OpenInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: AsyncIterable<Uint8Array> | string | Buffer
  readonly signal?: AbortSignal
  /** Whether redirects of a GET or HEAD are followed; true by default. */
  readonly followsRedirects?: boolean
}

/** Credentials, TLS options and proxy for a server. */
export interface Connection {
  /** Headers sent only to the origin of the given URL, not to redirect targets. */
  readonly credentials?: Readonly<Record<string, string>>
  /** PEM; presented only to that origin. */
  readonly certificate?: string
  readonly key?: string
  readonly passphrase?: string
  /** PEM; trusted in addition to the usual authorities. */
  readonly ca?: string
  /** Whether the server's certificate is verified; true by default. */
  readonly isVerified?: boolean
  /** The URL of an HTTP proxy. */
  readonly proxy?: string
}

/** A response whose body is still arriving. The caller must read the body or close it. */
export interface Opened {
  readonly status: number
  /** By lower-case name; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** The URL that responded, after redirects. */
  readonly url: string
  /** Decompressed. Fails with an `OutboundError` if a limit is exceeded or the transfer breaks off. */
  readonly body: AsyncIterable<Buffer>
  /** Releases the connection if the body is not read. */
  close(): void
}

/** The only way to call other servers. */
export interface Outbound {
  /** Calls a URL. Redirects are followed only if `redirect` says so, and checked in the same way. */
  fetch(url: string, init: RequestInit, limits: Limits): Promise<Fetched>
  /**
   * Calls a URL and returns the response while it is still arriving. A GET or HEAD follows up to five redirects by default, each
   * checked like the first URL. Fails with an `OutboundError` unless `init.signal` aborted it.
   */
  open(url: string, init: OpenInit, limits: StreamLimits, connection?: Connection): Promise<Opened>
  /** Asks name servers. Fails with an `OutboundError` if they may not be called or do not answer. */
  resolve(question: Question, limits: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<Resolved>
  close(): Promise<void>
}

/**
 * Opens the port. Calls reach public addresses and those that the operator allows. A name is resolved once, and the
 * connection uses the very address that was checked. `lookup` resolves names.
 */
export function openOutbound(allowed: readonly Network[], lookup: LookupFunction = systemLookup): Outbound {
  const reach = reachOf(allowed, lookup)
  // Undici is loaded on first use, because many installations call no other server.
  let loading: ReturnType<typeof load> | undefined
  const load = async () => {
    const undici = await import('undici')
    const { agentFor, openDispatchers } = await import('./outbound/dispatchers.ts')
    const { openStream } = await import('./outbound/open-stream.ts')
    const agent = agentFor(undici, reach, reach.isOpen, notPublic)
    const plainAgent = agentFor(undici, reach, reach.isAllowed, notConfidential)
    return { undici, openStream, agent, plainAgent, dispatchers: openDispatchers(undici, reach) }
  }
  return {
    fetch: async (url, init, limits) => {
      const { protocol, port } = readAddress(url)
      const timeout = AbortSignal.timeout(limits.timeoutMs)
      const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
      loading ??= load()
      const { undici, agent, plainAgent } = await loading
      const dispatcher = limits.isConfidential && protocol === 'http:' ? plainAgent : agent
      try {
        const sent = { redirect: 'manual', ...init, signal, dispatcher } as const
        const answer = await (isLocalPort(port) ? fetchLocally(undici, url, sent) : undici.fetch(url, sent))
        return { status: answer.status, headers: answer.headers, body: await readWhole(answer, limits.mostBytes) }
      } catch (error) {
        if (init.signal?.aborted) throw error
        throw timeout.aborted
          ? new OutboundError(`no response within ${limits.timeoutMs / 1000} seconds`, 'timeout')
          : reasonOf(error)
      }
    },
    open: async (url, init, limits, connection) => {
      readAddress(url)
      loading ??= load()
      const { undici, openStream, dispatchers } = await loading
      const caller = { reach, request: undici.request, dispatcherFor: dispatchers.for }
      return openStream(caller, url, init, limits, connection)
    },
    resolve: (question, limits) => resolveName(reach, question, limits),
    close: async () => {
      const loaded = await loading
      await Promise.all([loaded?.agent.destroy(), loaded?.plainAgent.destroy(), loaded?.dispatchers.close()])
    },
  }
}

/** Calls a port that `fetch` refuses as browsers do. Redirects are not followed. */
async function fetchLocally(
  { request, Headers }: typeof import('undici'),
  url: string,
  { method, headers, body, signal, dispatcher }: RequestInit,
): Promise<Answer> {
  if (typeof body !== 'string' && body !== undefined && body !== null)
    throw new TypeError('Only texts are sent to this port.')
  const answer = await request(url, {
    method: (method ?? 'GET') as Dispatcher.HttpMethod,
    headers: Object.fromEntries(new Headers(headers).entries()),
    body: body ?? null,
    signal: signal ?? null,
    ...(dispatcher && { dispatcher }),
  })
  const received = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
  return { status: answer.statusCode, headers: new Headers(received), body: answer.body }
}

interface Answer extends Pick<Response, 'status' | 'headers'> {
  readonly body: AsyncIterable<Uint8Array> | null
}

async function readWhole(answer: Answer, mostBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.length
    if (size > mostBytes) throw new OutboundError(`the response is larger than ${mostBytes} bytes`, 'too-large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
