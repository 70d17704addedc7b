import { randomBytes } from 'node:crypto'
import { OutboundError } from '../../ports/outbound.ts'
import type { Server } from '../../server.ts'
import {
  type Call,
  DetonatorError,
  type Form,
  MAX_REPORT_BYTES,
  type VendorAnswer,
  type VendorRequest,
} from './adapter.ts'

const CALL_TIMEOUT_MS = 60_000
/** Samples and reports may be large. */
const TRANSFER_TIMEOUT_MS = 10 * 60_000
const IDLE_MS = 60_000
const USUAL_BYTES = 2 * 2 ** 20

interface Parts {
  readonly server: Pick<Server, 'outbound'>
  readonly parameters: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  /** Runs immediately before each call; what it throws prevents the call. */
  check(): Promise<void>
}

/** What an adapter works with. */
export const openCall = ({ server, parameters, signal, check }: Parts): Call => ({
  parameters,
  signal,
  send: async (request) => {
    await check()
    signal.throwIfAborted()
    return send(server, request, signal)
  },
})

async function send(
  { outbound }: Pick<Server, 'outbound'>,
  { method, url, headers, body, mostBytes = USUAL_BYTES }: VendorRequest,
  signal: AbortSignal,
): Promise<VendorAnswer> {
  if (!outbound) throw new DetonatorError('unavailable', 'This process does not call other servers.')
  const form = typeof body === 'object' ? encodeForm(body) : undefined
  const most = Math.min(mostBytes, MAX_REPORT_BYTES)
  const isTransfer = form !== undefined || most > USUAL_BYTES
  const limits = {
    timeoutMs: isTransfer ? TRANSFER_TIMEOUT_MS : CALL_TIMEOUT_MS,
    idleMs: IDLE_MS,
    mostBytes: most,
    isConfidential: true,
  }
  const content = form?.content ?? (typeof body === 'string' ? body : undefined)
  const init = {
    method,
    // A redirect would take the credentials elsewhere.
    followsRedirects: false,
    headers: { 'user-agent': 'Corvus', ...headers, ...form?.headers },
    signal,
    ...(content !== undefined && { body: content }),
  }
  try {
    const opened = await outbound.open(url, init, limits)
    const announced = Number(opened.headers['content-length'] ?? 0)
    if (announced > most) {
      opened.close()
      throw tooLarge(most)
    }
    const parts: Buffer[] = []
    for await (const part of opened.body) parts.push(part)
    return { status: opened.status, headers: opened.headers, body: Buffer.concat(parts) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.kind === 'too-large') throw tooLarge(most)
    throw new DetonatorError('unavailable', `The vendor could not be reached: ${error.message}.`, undefined, {
      cause: error,
    })
  }
}

const tooLarge = (most: number): DetonatorError =>
  new DetonatorError(
    'unreadable',
    `The answer of the vendor is larger than ${Math.round(most / 2 ** 20)} MiB, which is the limit.`,
  )

/** A form as multipart/form-data, whose file is read while it is sent. */
function encodeForm({ fields, file }: Form) {
  const boundary = `corvus-${randomBytes(16).toString('hex')}`
  const head = (disposition: string, type = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${type}\r\n`
  const texts = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`${head(`name="${quoted(name)}"`)}${value}\r\n`),
  )
  const opening = file
    ? Buffer.from(
        head(
          `name="${quoted(file.field)}"; filename="${quoted(file.sample.filename)}"`,
          'content-type: application/octet-stream\r\n',
        ),
      )
    : Buffer.alloc(0)
  const ending = Buffer.from(`${file ? '\r\n' : ''}--${boundary}--\r\n`)
  async function* content(): AsyncGenerator<Uint8Array> {
    yield* texts
    yield opening
    if (file) yield* file.sample.content()
    yield ending
  }
  const size = [...texts, opening, ending].reduce((sum, { length }) => sum + length, file?.sample.size ?? 0)
  return {
    content: content(),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(size) },
  }
}

/** A name in a header of a part: quotation marks and line breaks would end it. */
const quoted = (text: string): string => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
