import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { RequestInit, Response } from 'undici'
import type { Network } from './outbound/networks.ts'
import { OutboundError, reasonOf } from './outbound/outbound-error.ts'
import { notConfidential, notPublic, reachOf, readAddress } from './outbound/reach.ts'

export { isWithin, type Network, readNetwork } from './outbound/networks.ts'
export { OutboundError, type OutboundFault } from './outbound/outbound-error.ts'

export interface Limits {
  /** For the whole exchange, body included. */
  readonly timeoutMs: number
  /** For the body of the answer. */
  readonly mostBytes: number
  /** Nobody may read along: without TLS, only the networks that the operator allows are called. */
  readonly isConfidential?: boolean
}

/** An answer from outside, read whole. */
export interface Fetched {
  readonly status: number
  readonly headers: Response['headers']
  readonly body: Buffer
}

/** Bounds of an exchange whose answer is read as it comes. */
export interface StreamLimits {
  /** For the whole exchange, redirects and bodies included. */
  readonly timeoutMs: number
  /** For any time in which nothing comes. */
  readonly idleMs: number
  /** For the body of the answer, both as it comes and unpacked. */
  readonly mostBytes: number
}

/** What is sent. A body that comes in pieces needs its `content-length` among the headers, or is sent in chunks. */
export interface OpenInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: AsyncIterable<Uint8Array> | string | Buffer
  readonly signal?: AbortSignal
}

/** How a server is called that asks for proof of who calls, or that is reached in its own way. */
export interface Connection {
  /** Headers that only the server gets whose address was given: no other one that it leads to. */
  readonly credentials?: Readonly<Record<string, string>>
  /** PEM; shown to that server alone, too. */
  readonly certificate?: string
  readonly key?: string
  readonly passphrase?: string
  /** PEM; trusted beside the usual authorities. */
  readonly ca?: string
  /** Whether the server has to prove its name; true unless said otherwise. */
  readonly isVerified?: boolean
  /** The address of an HTTP proxy. */
  readonly proxy?: string
}

/** An answer from outside whose body is still coming. Whoever opens it reads the body or closes it. */
export interface Opened {
  readonly status: number
  /** By their names in lower case; those that came more than once are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** What answered in the end, after redirects. */
  readonly url: string
  /** Unpacked; fails with an `OutboundError` where a limit is passed, or where it breaks off. */
  readonly body: AsyncIterable<Buffer>
  /** Lets go of it where nobody reads its body. */
  close(): void
}

/** The one way to call other servers. */
export interface Outbound {
  /** Calls this address. Where it leads by a redirect is followed only when `redirect` says so, and checked the same way. */
  fetch(url: string, init: RequestInit, limits: Limits): Promise<Fetched>
  /**
   * Calls this address, and gives the answer while it still comes. A GET or HEAD is led on by up to five redirects, each checked
   * like the first address. Fails with an `OutboundError` unless `init.signal` ended it.
   */
  open(url: string, init: OpenInit, limits: StreamLimits, connection?: Connection): Promise<Opened>
  close(): Promise<void>
}

/**
 * Calls reach public addresses, and those that the operator allows. A name is resolved once, and the connection goes to the
 * very address that was checked. `lookup` is what resolves names.
 */
export function openOutbound(allowed: readonly Network[], lookup: LookupFunction = systemLookup): Outbound {
  const reach = reachOf(allowed, lookup)
  // Many installations call nobody: what it takes is loaded with the first call.
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
      const { protocol } = readAddress(url)
      const timeout = AbortSignal.timeout(limits.timeoutMs)
      const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
      loading ??= load()
      const { undici, agent, plainAgent } = await loading
      const dispatcher = limits.isConfidential && protocol === 'http:' ? plainAgent : agent
      try {
        const answer = await undici.fetch(url, { redirect: 'manual', ...init, signal, dispatcher })
        return { status: answer.status, headers: answer.headers, body: await readWhole(answer, limits.mostBytes) }
      } catch (error) {
        if (init.signal?.aborted) throw error
        throw timeout.aborted
          ? new OutboundError(`no answer within ${limits.timeoutMs / 1000} seconds`, 'timeout')
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
    close: async () => {
      const loaded = await loading
      await Promise.all([loaded?.agent.destroy(), loaded?.plainAgent.destroy(), loaded?.dispatchers.close()])
    },
  }
}

async function readWhole(answer: Response, mostBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.length
    if (size > mostBytes) throw new OutboundError(`the answer is longer than ${mostBytes} bytes`, 'too-large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
