import { createHmac } from 'node:crypto'
import { OutboundError } from '../../ports/outbound.ts'
import type { Server } from '../../server.ts'

/** What came of a call. */
export interface Outcome {
  readonly is_delivered: boolean
  /** What the receiver answered; null when it did not. */
  readonly status: number | null
  /** Why it was not delivered, in our words: what receivers say may be anything. */
  readonly reason: string | null
  readonly milliseconds: number
}

/** Where a call goes, and what it is signed with. */
export interface Receiver {
  readonly id: number
  readonly url: string
  /** Sealed. */
  readonly secret: string | null
}

const LIMITS = { timeoutMs: 10_000, mostBytes: 64 * 1024, isConfidential: true }

/** Calls a receiver. Only an answer of 200 to 299 means that it has what it was sent. */
export async function send(
  { outbound, vault }: Pick<Server, 'outbound' | 'vault'>,
  receiver: Receiver,
  deliveryId: string,
  body: string,
  signal?: AbortSignal,
): Promise<Outcome> {
  const start = performance.now()
  const ended = (status: number | null, reason: string | null): Outcome => ({
    is_delivered: reason === null,
    status,
    reason,
    milliseconds: Math.round((performance.now() - start) * 10) / 10,
  })
  const secret = opened(vault, receiver.secret)
  if (!outbound) return ended(null, 'This process does not call other servers.')
  if (secret === undefined)
    return ended(null, 'The secret cannot be read with the secret key of this server; set it again.')
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Corvus',
    'corvus-webhook': String(receiver.id),
    'corvus-delivery': deliveryId,
    'corvus-timestamp': timestamp,
    'corvus-signature': signatureOf(secret, timestamp, body),
  }
  try {
    const init = { method: 'POST', headers, body, ...(signal && { signal }) }
    const { status } = await outbound.fetch(receiver.url, init, LIMITS)
    return ended(status, reasonOf(status))
  } catch (error) {
    if (error instanceof OutboundError) return ended(null, `The receiver was not reached: ${error.message}.`)
    throw error
  }
}

/** What proves that a body came from here, and when. */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`

function opened(vault: Server['vault'], sealed: string | null): string | undefined {
  try {
    return sealed === null ? undefined : vault.open(sealed)
  } catch {
    return undefined
  }
}

/** The receiver wants to hear nothing ever again. */
export const isGone = ({ status }: Outcome): boolean => status === 410

function reasonOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400)
    return `The receiver answered ${status} with another address, which is not followed.`
  return status === 410 ? 'The receiver answered 410: it is gone for good.' : `The receiver answered ${status}.`
}
