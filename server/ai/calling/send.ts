import { readFile } from 'node:fs/promises'
import { type Opened, OutboundError } from '../../ports/outbound.ts'
import { CallError } from './call-error.ts'
import { dialectOf } from './dialects.ts'
import type { Endpoint } from './endpoint.ts'
import { failureOf } from './failures.ts'

export interface SendLimits {
  readonly timeoutMs: number
  readonly idleMs: number
  readonly mostBytes: number
}

/** The beginning of an error is enough to recognise it. */
const MAX_ERROR_BYTES = 64 * 1024

/**
 * Calls a provider and returns its response while it is still arriving; the caller must read or close it. Sends JSON if there is a body.
 * Fails with a `CallError` unless the signal aborted it.
 */
export async function send(
  endpoint: Endpoint,
  path: string,
  body: unknown,
  limits: SendLimits,
  signal?: AbortSignal,
): Promise<Opened> {
  if (endpoint.isLocked)
    throw new CallError('The key cannot be decrypted with the secret key of this server. Set it again.', 'key')
  const { port, authorization, isVerified, proxy, caPath } = endpoint
  const ca = caPath === null ? undefined : await readAuthorities(caPath)
  const init = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json, text/event-stream', ...(body !== undefined && JSON_BODY) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    followsRedirects: false,
  }
  const connection = {
    ...(authorization !== null && { credentials: { authorization } }),
    ...(ca !== undefined && { ca }),
    ...(proxy !== null && { proxy }),
    isVerified,
  }
  const opened = await port
    .open(addressOf(endpoint, path), init, { ...limits, isConfidential: true }, connection)
    .catch((error) => fail(error, signal))
  if (opened.status === 200) return opened
  throw failureOf(opened.status, opened.headers, await beginningOf(opened, signal))
}

const JSON_BODY = { 'content-type': 'application/json' }

function addressOf({ provider, url }: Endpoint, path: string): string {
  const base = url.replace(/(?<!\/)\/+$/, '')
  return `${dialectOf(provider).rootOf?.(base) ?? base}${path}`
}

/** Throws what an exchange failed with, in the words of a call. */
export function fail(error: unknown, signal?: AbortSignal): never {
  if (signal?.aborted || error instanceof CallError) throw error
  if (!(error instanceof OutboundError)) throw error
  const { kind, message } = error
  if (kind === 'too-large' || kind === 'malformed')
    throw new CallError(`The provider's response cannot be used: ${message}.`, 'malformed')
  const fault = kind === 'timeout' ? 'slow' : kind === 'unreachable' || kind === 'cut-off' ? 'down' : 'other'
  throw new CallError(`The provider could not be reached: ${message}.`, fault)
}

async function beginningOf({ body, close }: Opened, signal: AbortSignal | undefined): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of body) {
      parts.push(part)
      size += part.length
      if (size >= MAX_ERROR_BYTES) break
    }
  } catch (error) {
    // The status alone says enough.
    if (signal?.aborted) throw error
  } finally {
    close()
  }
  return Buffer.concat(parts).toString('utf8')
}

async function readAuthorities(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw new CallError('The file with certificate authorities cannot be read.')
  }
}
