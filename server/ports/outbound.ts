import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Agent, RequestInit, Response } from 'undici'

/** A part of the address space: where it begins, and how many bits of that count. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>

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

/** The one way to call other servers. */
export interface Outbound {
  /** Calls this address. Where it leads by a redirect is followed only when `redirect` says so, and checked the same way. */
  fetch(url: string, init: RequestInit, limits: Limits): Promise<Fetched>
  close(): Promise<void>
}

declare module '../engine/resource.ts' {
  interface Server {
    /** Absent where nothing is called. */
    readonly outbound?: Outbound | undefined
  }
}

/** Why a call led to nothing, in our own words: what other servers say may repeat a secret. */
export class OutboundError extends Error {}

/** Reads `10.0.0.0/8` or a single address; undefined when it is neither. */
export function readNetwork(text: string): Network | undefined {
  const [base = ''] = text.split('/', 1)
  const cidr = base === text ? `${base}/${isIP(base) === 6 ? 128 : 32}` : text
  return isIP(base) !== 0 && ipaddr.isValidCIDR(cidr) ? ipaddr.parseCIDR(cidr) : undefined
}

export function isWithin(address: string, networks: readonly Network[]): boolean {
  const parsed = ipaddr.process(address)
  return networks.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match([base, bits] as never))
}

/**
 * Calls reach public addresses, and those that the operator allows. A name is resolved once, and the connection goes to the
 * very address that was checked.
 */
export function openOutbound(allowed: readonly Network[]): Outbound {
  const isAllowed = (address: string) => isWithin(address, allowed)
  const isOpen = (address: string) => ipaddr.process(address).range() === 'unicast' || isAllowed(address)
  // Many installations call nobody: what it takes is loaded with the first call.
  let loading: ReturnType<typeof load> | undefined
  const load = async () => {
    const undici = await import('undici')
    const agent = agentFor(undici, isOpen, notPublic)
    return { fetch: undici.fetch, agent, plainAgent: agentFor(undici, isAllowed, notConfidential) }
  }
  return {
    fetch: async (url, init, limits) => {
      refuseAddress(url)
      const timeout = AbortSignal.timeout(limits.timeoutMs)
      const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
      loading ??= load()
      const { fetch, agent, plainAgent } = await loading
      const dispatcher = limits.isConfidential && URL.parse(url)?.protocol === 'http:' ? plainAgent : agent
      try {
        const answer = await fetch(url, { redirect: 'manual', ...init, signal, dispatcher })
        return { status: answer.status, headers: answer.headers, body: await readWhole(answer, limits.mostBytes) }
      } catch (error) {
        if (init.signal?.aborted) throw error
        throw timeout.aborted
          ? new OutboundError(`no answer within ${limits.timeoutMs / 1000} seconds`)
          : reasonOf(error)
      }
    },
    close: async () => {
      const loaded = await loading
      await Promise.all([loaded?.agent.destroy(), loaded?.plainAgent.destroy()])
    },
  }
}

type Check = (address: string) => boolean
type Refusal = (host: string) => OutboundError

/** Connects to the addresses that pass the check, and to no others. */
function agentFor({ Agent, buildConnector }: typeof import('undici'), isReachable: Check, refused: Refusal): Agent {
  const connect = buildConnector({ lookup: checkedLookup(isReachable, refused), timeout: 10_000 })
  return new Agent({
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isReachable(host)) callback(refused(host), null)
      else connect(options, callback)
    },
    keepAliveTimeout: 5000,
  })
}

function refuseAddress(text: string): void {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new OutboundError('only http and https addresses are called')
  }
  if (url.username !== '' || url.password !== '') throw new OutboundError('the address must not hold credentials')
}

const notPublic: Refusal = (host) =>
  new OutboundError(`${host} is not a public address, and CORVUS_ALLOWED_NETWORKS does not list it`)

const notConfidential: Refusal = (host) =>
  new OutboundError(`${host} must be called by https, or CORVUS_ALLOWED_NETWORKS must list it`)

/** Resolves a name to those of its addresses that may be called. */
function checkedLookup(isReachable: Check, refused: Refusal): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const reachable = found.filter(({ address }) => isReachable(address))
      const [first] = reachable
      if (!first) return callback(refused(hostname), '', 0)
      if (options.all) callback(null, reachable)
      else callback(null, first.address, first.family)
    })
  }
}

async function readWhole(answer: Response, mostBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.length
    if (size > mostBytes) throw new OutboundError(`the answer is longer than ${mostBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The innermost reason, when it is ours or the system's; anything else might quote what was sent. */
function reasonOf(error: unknown): OutboundError {
  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    if (reason instanceof OutboundError) return reason
    const { code, message } = reason as NodeJS.ErrnoException
    if (message === 'bad port') return new OutboundError('its port belongs to another kind of server')
    if (typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code))
      return new OutboundError(`it cannot be reached (${code})`)
  }
  return new OutboundError('it cannot be reached')
}
