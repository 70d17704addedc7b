import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { What } from './dialects.ts'

/** A call that a vendor received, complete with its body. */
export interface Received {
  readonly vendor: string
  /** What it asked for; `other` for a path that the vendor does not have. */
  readonly what: What | 'other'
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The fields of a form, or the texts of a JSON body. */
  readonly fields: Readonly<Record<string, string>>
  /** The file that was sent, if there is one. */
  readonly filename: string | null
  readonly size: number | null
  readonly md5: string | null
  readonly sha1: string | null
  readonly sha256: string | null
  readonly url: string | null
  /** The first megabyte of the body, byte by byte as Latin-1. */
  readonly raw: string
}

const MAX_RAW = 2 ** 20
const NO_FILE = { filename: null, size: null, md5: null, sha1: null, sha256: null }

/** Reads a call to its end. */
export async function receive(request: IncomingMessage, vendor: string, what: Received['what']): Promise<Received> {
  const type = request.headers['content-type'] ?? ''
  const raw: Buffer[] = []
  let size = 0
  const parts = Readable.from(
    (async function* () {
      for await (const part of request as AsyncIterable<Buffer>) {
        if (size < MAX_RAW) raw.push(part)
        size += part.length
        yield part
      }
    })(),
    { objectMode: false },
  )
  const { fields, file } = type.startsWith('multipart/form-data') ? await form(parts, type) : await body(parts, type)
  const { method = '', url: path = '', headers } = request
  const text = Buffer.concat(raw).subarray(0, MAX_RAW).toString('latin1')
  return { vendor, what, method, path, headers, fields, ...NO_FILE, ...file, url: fields.url ?? null, raw: text }
}

interface Content {
  readonly fields: Record<string, string>
  readonly file?: Pick<Received, 'filename' | 'size' | 'md5' | 'sha1' | 'sha256'>
}

const form = (parts: Readable, type: string): Promise<Content> =>
  new Promise((resolve, reject) => {
    const fields: Record<string, string> = {}
    let file: Content['file']
    const busboy = new Busboy({ headers: { 'content-type': type } })
    busboy.on('field', (name, value) => {
      Object.assign(fields, name === '_json' ? textsIn(value) : { [name]: value })
    })
    busboy.on('file', (_name, stream, filename) => {
      const [md5, sha1, sha256] = [createHash('md5'), createHash('sha1'), createHash('sha256')]
      let size = 0
      stream.on('data', (part: Buffer) => {
        size += part.length
        for (const hash of [md5, sha1, sha256]) hash.update(part)
      })
      stream.on('end', () => {
        file = { filename, size, md5: md5.digest('hex'), sha1: sha1.digest('hex'), sha256: sha256.digest('hex') }
      })
    })
    busboy.on('finish', () => resolve({ fields, ...(file && { file }) }))
    busboy.on('error', reject)
    parts.on('error', reject).pipe(busboy)
  })

async function body(parts: Readable, type: string): Promise<Content> {
  const text = Buffer.concat(await parts.toArray()).toString('utf8')
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { fields: Object.fromEntries(new URLSearchParams(text)) }
  return { fields: textsIn(text) }
}

/** The members of a JSON document as texts. */
function textsIn(text: string): Record<string, string> {
  try {
    const document = Object.entries(JSON.parse(text) as object)
    return Object.fromEntries(
      document.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    )
  } catch {
    return {}
  }
}
