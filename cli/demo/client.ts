import { STATUS_CODES } from 'node:http'
import { isRecord } from '../../server/domain/record.ts'
import { Refusal } from '../refusal.ts'

/** The requests needed for loading. An error of the server becomes a refusal. */
export interface Client {
  /** The `data` of an object. */
  get(path: string): Promise<unknown>
  /** Sends items and returns the `data` of the response. */
  put(path: string, items: readonly unknown[]): Promise<unknown>
  /** The same without parsing the response, which takes as long as generating the items. */
  putOnly(path: string, items: readonly unknown[]): Promise<void>
}

const SHOWN_DETAILS = 10

/** A client for one server and token. The signal aborts running requests. */
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

/** The `data` of a server's response. */
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
  throw new Refusal(`${url} responds, but not like a Corvus server. Check --url.`)
}

/** Throws if no server responds at a URL. */
export async function requireServer(url: string, signal: AbortSignal): Promise<void> {
  await send(url, '/api/v2/users/self', { signal })
}

async function send(url: string, path: string, options: RequestInit): Promise<{ status: number; bytes: Buffer }> {
  try {
    const response = await fetch(url + path, options)
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  } catch (error) {
    if (options.signal?.aborted) throw new Refusal('Stopped immediately.')
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
    const reason = cause?.code ?? cause?.message ?? message
    throw new Refusal(
      `${url} does not respond (${reason}). Start Corvus with npm start, or set the address with --url.`,
    )
  }
}

/** The server's response to a refused request, as a message. */
export function refusalOf(request: string, status: number, answer: unknown): Refusal {
  const details = detailsOf(answer)
  if (status === 401) return new Refusal(`The token is invalid. ${TOKEN_ADVICE}`)
  if (status === 403)
    return new Refusal(`The owner of the token lacks permission: ${details.join(' ') || 'Forbidden.'}`)
  const shown = details.slice(0, SHOWN_DETAILS).map((detail) => `\n  ${detail}`)
  const more = details.length > SHOWN_DETAILS ? `\n  and ${details.length - SHOWN_DETAILS} more` : ''
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
  return new Refusal(`${request} was refused with ${title}${shown.length > 0 ? ':' : '.'}${shown.join('')}${more}`)
}

/** How to get a token. */
export const TOKEN_ADVICE =
  'Create one with "npm run corvus -- token create --user <name> --name cli" on the server, ' +
  'and pass it with CORVUS_TOKEN or --token.'

function detailsOf(answer: unknown): string[] {
  const faults = Array.isArray(answer) ? answer : []
  return faults.flatMap((fault: unknown) => (isRecord(fault) && fault.detail ? [String(fault.detail)] : []))
}

/** The parsed JSON; undefined if it is invalid. */
export function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
