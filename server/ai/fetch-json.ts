import { readFile } from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { type Outbound, OutboundError } from '../ports/outbound.ts'

/** A call to a provider: URL, credentials and route. */
export interface Call {
  readonly url: string
  readonly authorization: string | null
  readonly caPath: string | null
  readonly verifySsl: boolean
  readonly proxy: string | null
  /** The port for URLs that administrators set; null if the operator of the server configured the URL. */
  readonly outbound: Outbound | null
}

/** Why a call failed. The message is our own, because a provider's response may repeat the key. */
export class CallError extends Error {}

const TIMEOUT_MS = 3000
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024

/** Fetches a JSON document from this URL only; redirects are not followed. */
export async function fetchJson(call: Call): Promise<unknown> {
  const text = await (call.outbound ? fetchOutside(call.outbound, call) : fetchDirectly(call))
  try {
    return JSON.parse(text)
  } catch {
    throw new CallError('The provider did not respond with JSON.')
  }
}

async function fetchOutside(outbound: Outbound, call: Call): Promise<string> {
  const limits = { timeoutMs: TIMEOUT_MS, mostBytes: MAX_RESPONSE_BYTES, isConfidential: true }
  try {
    const { status, body } = await outbound.fetch(call.url, { headers: headersOf(call) }, limits)
    refuseFailure(status)
    return body.toString('utf8')
  } catch (error) {
    throw error instanceof OutboundError ? new CallError(`The provider could not be reached: ${error.message}.`) : error
  }
}

const headersOf = ({ authorization }: Call) => ({
  accept: 'application/json',
  ...(authorization && { authorization }),
})

async function fetchDirectly(call: Call): Promise<string> {
  const ca = call.caPath === null ? undefined : await readAuthorities(call.caPath)
  const secure = call.url.startsWith('https:')
  const proxyEnv = call.proxy === null ? {} : { HTTP_PROXY: call.proxy, HTTPS_PROXY: call.proxy }
  const agent = secure
    ? new https.Agent({ proxyEnv, rejectUnauthorized: call.verifySsl, ...(ca && { ca }) })
    : new http.Agent({ proxyEnv })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (secure ? https : http).get(call.url, { agent, headers: headersOf(call), signal }, resolve)
      request.on('error', reject)
    })
    if (answer.statusCode !== 200) answer.destroy()
    refuseFailure(answer.statusCode ?? 0)
    return await readText(answer)
  } catch (error) {
    throw error instanceof CallError ? error : new CallError(reasonOf(error, signal))
  } finally {
    agent.destroy()
  }
}

function refuseFailure(status: number): void {
  if (status === 200) return
  if (status >= 300 && status < 400) {
    throw new CallError(`The provider responded with ${status} and a redirect, which is not followed.`)
  }
  const reason = status === 401 || status === 403 ? ': it rejected the key' : ''
  throw new CallError(`The provider responded with ${status}${reason}.`)
}

async function readText(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer) {
    size += part.length
    if (size > MAX_RESPONSE_BYTES) throw new CallError("The provider's response is too large.")
    parts.push(part)
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

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `The provider did not respond within ${TIMEOUT_MS / 1000} seconds.`
  const { code } = error as { code?: unknown }
  const isPlain = typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code)
  return `The provider cannot be reached${isPlain ? ` (${code})` : ''}.`
}
