import { createHmac } from 'node:crypto'
import { OutboundError } from '../../ports/outbound.ts'
import type { Server } from '../../server.ts'

/** The outcome of a request to a receiver. */
export interface Outcome {
  readonly is_delivered: boolean
  /** The status of the response; null if there was none. */
  readonly status: number | null
  /** Why it was not delivered, in our words: a response could contain anything. */
  readonly reason: string | null
  readonly milliseconds: number
}

/** The address of a webhook and the secret that signs its requests. */
export interface Receiver {
  readonly id: number
  readonly url: string
  /** Sealed. */
  readonly secret: string | null
}

const LIMITS = { timeoutMs: 10_000, mostBytes: 64 * 1024, isConfidential: true }

/** Sends a body to a receiver. Only a status from 200 to 299 counts as delivered. */
export async function send(
  server: Pick<Server, 'outbound' | 'vault'>,
  { id, url, secret: sealed }: Receiver,
  deliveryId: string,
  body: string,
  signal?: AbortSignal,
): Promise<Outcome> {
  const secret = opened(server.vault, sealed)
  if (secret === undefined)
    return {
      is_delivered: false,
      status: null,
      reason: 'The secret cannot be decrypted with the secret key of this server. Set it again.',
      milliseconds: 0,
    }
  const headers = { 'corvus-webhook': String(id), 'corvus-delivery': deliveryId }
  return post(server, { url, secret, headers, body, signal })
}

/** A body to send, and the secret that signs it, if there is one. */
interface Posted {
  readonly url: string
  readonly secret: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal?: AbortSignal | undefined
}

/** Posts a body with the time and a signature over both. Answers are not read, and redirects are not followed. */
export async function post(
  { outbound }: Pick<Server, 'outbound'>,
  { url, secret, headers: more, body, signal }: Posted,
): Promise<Outcome> {
  const start = performance.now()
  const ended = (status: number | null, reason: string | null): Outcome => ({
    is_delivered: reason === null,
    status,
    reason,
    milliseconds: Math.round((performance.now() - start) * 10) / 10,
  })
  if (!outbound) return ended(null, 'This process does not call other servers.')
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Corvus',
    ...more,
    'corvus-timestamp': timestamp,
    ...(secret !== null && { 'corvus-signature': signatureOf(secret, timestamp, body) }),
  }
  try {
    const init = { method: 'POST', headers, body, ...(signal && { signal }) }
    const { status } = await outbound.fetch(url, init, LIMITS)
    return ended(status, reasonOf(status))
  } catch (error) {
    if (error instanceof OutboundError) return ended(null, `The receiver could not be reached: ${error.message}.`)
    throw error
  }
}

/** Signs a body and its time. */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`

function opened(vault: Server['vault'], sealed: string | null): string | undefined {
  try {
    return sealed === null ? undefined : vault.open(sealed)
  } catch {
    return undefined
  }
}

/** Whether the receiver asks never to be called again. */
export const isGone = ({ status }: Outcome): boolean => status === 410

function reasonOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The receiver responded with ${status}. Redirects are not followed.`
  return status === 410 ? 'The receiver responded with 410 (gone).' : `The receiver responded with ${status}.`
}
