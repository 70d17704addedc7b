import { createHash, randomUUID } from 'node:crypto'
import {
  type Adapter,
  type Call,
  DetonatorError,
  type Form,
  MAX_REPORT_BYTES,
  type Sample,
  type VendorRequest,
} from '../../server/automation/detonators/adapter.ts'
import { OutboundError, openOutbound, readNetwork } from '../../server/ports/outbound.ts'
import type { Vendor, Vendors } from './vendors.ts'

type File = Extract<Sample, { kind: 'file' }>

/** A file with an invented content. */
export function sampleOf(filename = 'sample.exe', content = 'An invented program.'): File {
  const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex')
  return {
    kind: 'file',
    filename,
    size: Buffer.byteLength(content),
    md5: digest('md5'),
    sha1: digest('sha1'),
    sha256: digest('sha256'),
    content: async function* () {
      yield Buffer.from(content)
    },
  }
}

/** What adapters work with, over the real outbound port, with the vendors on this machine. */
export function openCalls(vendors: Pick<Vendors, 'parameters'>) {
  const network = readNetwork('127.0.0.0/8')
  const outbound = openOutbound(network ? [network] : [])
  const signal = AbortSignal.timeout(120_000)
  const send = async ({ method, url, headers = {}, body, mostBytes = 2 * 2 ** 20 }: VendorRequest) => {
    const form = typeof body === 'object' ? multipart(body) : undefined
    const init = {
      ...{ method, signal, followsRedirects: false, headers: { ...headers, ...form?.headers } },
      ...(body !== undefined && { body: form?.body ?? (body as string) }),
    }
    const limits = { timeoutMs: 30_000, idleMs: 10_000, mostBytes: Math.min(mostBytes, MAX_REPORT_BYTES) }
    try {
      const opened = await outbound.open(url, init, { ...limits, isConfidential: true })
      const parts: Buffer[] = []
      for await (const part of opened.body) parts.push(part)
      return { status: opened.status, headers: opened.headers, body: Buffer.concat(parts) }
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      throw new DetonatorError(error.kind === 'too-large' ? 'unreadable' : 'unavailable', `${error.message}.`)
    }
  }
  return {
    callOf: (adapter: Adapter, parameters: Record<string, unknown> = {}): Call => ({
      parameters: adapter.parameters.parse({ ...vendors.parameters[adapter.name as Vendor], ...parameters }),
      signal,
      send,
    }),
    close: () => outbound.close(),
  }
}

function multipart({ fields, file }: Form) {
  const boundary = randomUUID()
  const quoted = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const body = async function* () {
    for (const [name, value] of Object.entries(fields))
      yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`)
    if (file) {
      const place = `name="${quoted(file.field)}"; filename="${quoted(file.sample.filename)}"`
      yield Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; ${place}\r\ncontent-type: application/octet-stream\r\n\r\n`,
      )
      yield* file.sample.content()
      yield Buffer.from('\r\n')
    }
    yield Buffer.from(`--${boundary}--\r\n`)
  }
  return { body: body(), headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}
