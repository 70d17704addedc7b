import { setTimeout as sleep } from 'node:timers/promises'
import { OutboundError, type Question, type Resolved } from '../../../ports/outbound.ts'
import type { Server } from '../../../server.ts'
import { EnricherError, type LookUp, MAX_ANSWER_BYTES, type SourceAnswer, type SourceRequest } from '../function.ts'
import { type Full, reserveCall } from '../reserve.ts'
import { rowsAround, rowsUnder } from '../tables/find-rows.ts'

/** The limits of the enricher allow no further call for now. */
export class LimitReached extends Error {
  readonly full: Full

  constructor(full: Full) {
    super(
      `The limit of ${full.calls} calls ${full.seconds === 0 ? 'a month' : `in ${full.seconds} seconds`} is reached.`,
    )
    this.full = full
  }
}

const CALL_TIMEOUT_MS = 30_000
const RESOLVE_TIMEOUT_MS = 8000
/** A look-up waits itself for a limit that is free again soon; otherwise it returns to the queue. */
const MAX_PAUSE_MS = 2000

interface Parts {
  readonly server: Server
  readonly enricher: number
  readonly parameters: Readonly<Record<string, unknown>>
  readonly requestsPerLookUp: number
  readonly signal: AbortSignal
  /** Runs after a call was counted and immediately before it is made; what it throws prevents the call. */
  check(): Promise<void>
}

/** A call that was made. */
export interface Made {
  readonly request: SourceRequest
  readonly answer: SourceAnswer
}

/** What a function works with. Every call is within the limits, and is checked before it leaves the platform. */
export function lookUpContext(parts: Parts): LookUp & { readonly made: readonly Made[] } {
  const { server, parameters, signal } = parts
  const made: Made[] = []
  const begin = async () => {
    await reserve(parts, made.length === 0 ? parts.requestsPerLookUp : 1)
    await parts.check()
    signal.throwIfAborted()
  }
  return {
    parameters,
    signal,
    made,
    call: async (request) => {
      await begin()
      const answer = await send(server, request, signal)
      made.push({ request, answer })
      return answer
    },
    resolve: async (question) => {
      await begin()
      const resolved = await ask(server, question, signal)
      made.push(exchangeOf(question, resolved))
      return resolved
    },
    rows: (table, keys) => rowsUnder(server, table, keys),
    rowsAround: (table, address) => rowsAround(server, table, address),
  }
}

async function reserve({ server, enricher, signal }: Parts, needed: number): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const reservation = await reserveCall(server.db, enricher, needed)
    if (reservation.isReserved) return
    const { full } = reservation
    if (full.until === null || full.milliseconds > MAX_PAUSE_MS) throw new LimitReached(full)
    await sleep(full.milliseconds, undefined, { signal })
  }
}

async function send(
  { outbound }: Pick<Server, 'outbound'>,
  { method, url, headers, body }: SourceRequest,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  if (!outbound) throw new EnricherError('unavailable', 'This process does not call other servers.')
  const init = { method, signal, headers: { 'user-agent': 'Corvus', ...headers }, ...(body !== undefined && { body }) }
  const limits = { timeoutMs: CALL_TIMEOUT_MS, mostBytes: MAX_ANSWER_BYTES, isConfidential: true }
  try {
    const answer = await outbound.fetch(url, init, limits)
    return { status: answer.status, headers: Object.fromEntries(answer.headers.entries()), body: answer.body }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const fault = error.kind === 'too-large' ? 'unreadable' : 'unavailable'
    throw new EnricherError(fault, `The service could not be read: ${error.message}.`)
  }
}

async function ask({ outbound }: Pick<Server, 'outbound'>, question: Question, signal: AbortSignal): Promise<Resolved> {
  if (!outbound) throw new EnricherError('unavailable', 'This process does not call other servers.')
  try {
    return await outbound.resolve(question, { timeoutMs: RESOLVE_TIMEOUT_MS, signal })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const fault = error.kind === 'malformed' ? 'unreadable' : 'unavailable'
    throw new EnricherError(fault, `The name servers could not be asked: ${error.message}.`)
  }
}

/** A question and its answer as they are kept and shown, with an address as in RFC 4501. */
const exchangeOf = ({ name, type, servers }: Question, resolved: Resolved): Made => ({
  request: { method: 'GET', url: `dns:${encodeURIComponent(name)}?type=${type}` },
  answer: { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ name, type, servers, ...resolved })) },
})
