import { readFile } from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'

/** One call of a provider: where to, with which proof, and over which way. */
export interface Call {
  readonly url: string
  readonly authorization: string | null
  readonly caPath: string | null
  readonly verifySsl: boolean
  readonly proxy: string | null
}

/** Why a call led to nothing. What it says is ours: what providers answer may repeat the key. */
export class CallError extends Error {}

const TIMEOUT_MS = 3000
const MOST_BYTES = 4 * 1024 * 1024

/** Gets a JSON document from just this address: whatever the answer says, no other one is called. */
export async function fetchJson(call: Call): Promise<unknown> {
  const ca = call.caPath === null ? undefined : await readAuthorities(call.caPath)
  const secure = call.url.startsWith('https:')
  const proxyEnv = call.proxy === null ? {} : { HTTP_PROXY: call.proxy, HTTPS_PROXY: call.proxy }
  const agent = secure
    ? new https.Agent({ proxyEnv, rejectUnauthorized: call.verifySsl, ...(ca && { ca }) })
    : new http.Agent({ proxyEnv })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const headers = { accept: 'application/json', ...(call.authorization && { authorization: call.authorization }) }
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (secure ? https : http).get(call.url, { agent, headers, signal }, resolve)
      request.on('error', reject)
    })
    refuseFailure(answer)
    return JSON.parse(await readText(answer))
  } catch (error) {
    throw error instanceof CallError ? error : new CallError(reasonOf(error, signal))
  } finally {
    agent.destroy()
  }
}

function refuseFailure(answer: IncomingMessage): void {
  const { statusCode: status = 0 } = answer
  if (status === 200) return
  answer.destroy()
  if (status >= 300 && status < 400) {
    throw new CallError(`The provider answered ${status} with another address, which is not followed.`)
  }
  const reason = status === 401 || status === 403 ? ': it does not accept the key' : ''
  throw new CallError(`The provider answered ${status}${reason}.`)
}

async function readText(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer) {
    size += part.length
    if (size > MOST_BYTES) throw new CallError('The answer of the provider is too long.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

async function readAuthorities(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw new CallError('The file of certificate authorities cannot be read.')
  }
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `The provider did not answer within ${TIMEOUT_MS / 1000} seconds.`
  if (error instanceof SyntaxError) return 'The provider did not answer with JSON.'
  const { code } = error as { code?: unknown }
  const isPlain = typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code)
  return `The provider cannot be reached${isPlain ? ` (${code})` : ''}.`
}
