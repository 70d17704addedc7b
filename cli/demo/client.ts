import { STATUS_CODES } from 'node:http'
import { isRecord } from '../../server/domain/record.ts'
import { Refusal } from '../refusal.ts'

/** The few calls that loading takes; what the server refuses ends in a refusal. */
export interface Client {
  /** The `data` of an object. */
  get(path: string): Promise<unknown>
  /** Sends items and answers the `data` of what became of them. */
  put(path: string, items: readonly unknown[]): Promise<unknown>
  /** The same for whoever does not want to know: reading the answer takes as long as making the items. */
  putOnly(path: string, items: readonly unknown[]): Promise<void>
}

const SHOWN_DETAILS = 10

/** A client of one server with one token; the signal ends what is in flight. */
export function clientOf(url: string, token: string, signal: AbortSignal): Client {
  async function call(method: string, path: string, items?: readonly unknown[]): Promise<Buffer> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = items && JSON.stringify({ data: items })
    return bytesOf(url, path, { method, headers, signal, ...(body !== undefined && { body }) })
  }
  return {
    get: async (path) => dataOf(url, await call('GET', path)),
    put: async (path, items) => dataOf(url, await call('PUT', path, items)),
    putOnly: async (path, items) => {
      await call('PUT', path, items)
    },
  }
}

/** The `data` of what a server answers to a request. */
export const answerOf = async (url: string, path: string, options: RequestInit): Promise<unknown> =>
  dataOf(url, await bytesOf(url, path, options))

async function bytesOf(url: string, path: string, options: RequestInit): Promise<Buffer> {
  const { status, bytes } = await send(url, path, options)
  if (status >= 300) throw refusalOf(`${options.method ?? 'GET'} ${path}`, status, readJson(bytes))
  return bytes
}

function dataOf(url: string, bytes: Buffer): unknown {
  const answer = readJson(bytes)
  if (isRecord(answer) && 'data' in answer) return answer.data
  throw new Refusal(`${url} answers, but not as a Corvus server does: check --url.`)
}

/** Refuses to go on when nothing answers at an address, whatever the answer would be. */
export async function requireServer(url: string, signal: AbortSignal): Promise<void> {
  await send(url, '/api/v2/users/self', { signal })
}

async function send(url: string, path: string, options: RequestInit): Promise<{ status: number; bytes: Buffer }> {
  try {
    const response = await fetch(url + path, options)
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  } catch (error) {
    if (options.signal?.aborted) throw new Refusal('Stopped at once.')
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
    const reason = cause?.code ?? cause?.message ?? message
    throw new Refusal(
      `${url} does not answer (${reason}): start Corvus with npm start, or say with --url where it runs.`,
    )
  }
}

/** What the server said to a request that it did not do, for people. */
export function refusalOf(request: string, status: number, answer: unknown): Refusal {
  const details = detailsOf(answer)
  if (status === 401) return new Refusal(`The token is not accepted. ${TOKEN_ADVICE}`)
  if (status === 403) return new Refusal(`The token's owner may not do that: ${details.join(' ') || 'Forbidden.'}`)
  const shown = details.slice(0, SHOWN_DETAILS).map((detail) => `\n  ${detail}`)
  const more = details.length > SHOWN_DETAILS ? `\n  and ${details.length - SHOWN_DETAILS} more` : ''
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
  return new Refusal(`${request} was refused with ${title}${shown.length > 0 ? ':' : '.'}${shown.join('')}${more}`)
}

/** How one gets a token. */
export const TOKEN_ADVICE =
  'Make one with "npm run corvus -- token create --user <name> --name cli" where the server runs, ' +
  'and give it with CORVUS_TOKEN or --token.'

function detailsOf(answer: unknown): string[] {
  const faults = Array.isArray(answer) ? answer : []
  return faults.flatMap((fault: unknown) => (isRecord(fault) && fault.detail ? [String(fault.detail)] : []))
}

/** What an answer says; undefined where it is no JSON. */
export function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
