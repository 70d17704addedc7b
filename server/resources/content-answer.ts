import { Readable } from 'node:stream'
import type { Answer, Incoming } from '../engine/route.ts'
import { dispositionOf } from './attachments/filename.ts'
import { servedTypeOf } from './attachments/media-type.ts'
import { namesTag, readRange, type Span } from './attachments/range.ts'

/** Bytes that somebody may save as a file. */
export interface Content {
  readonly name: string
  /** The same for the same bytes, and for no others. */
  readonly tag: string
  readonly size: number
  /** What the bytes are; a browser hears of it only where it runs nothing of it. */
  readonly type: string
  read(span: Span): AsyncIterable<Buffer>
}

const PIECE = 256 * 1024

/** Answers a download as far as the request asks for it: all of it, a part, or that it is still the same. */
export function contentAnswer(headers: Incoming['headers'], content: Content): Answer {
  const tag = `"${content.tag}"`
  const common = { etag: tag, 'cache-control': 'private, no-cache' }
  if (namesTag(textOf(headers['if-none-match']), tag)) return { status: 304, headers: common }
  const isSame = headers['if-range'] === undefined || headers['if-range'] === tag
  const part = isSame ? readRange(textOf(headers.range), content.size) : undefined
  if (part === null) return outOfRange(content.size)
  const { start, end } = part ?? { start: 0, end: content.size }
  return {
    status: part ? 206 : 200,
    headers: {
      ...common,
      'accept-ranges': 'bytes',
      'content-type': servedTypeOf(content.type),
      'content-length': String(end - start),
      ...(part && { 'content-range': `bytes ${start}-${end - 1}/${content.size}` }),
      'content-disposition': dispositionOf(content.name),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
    // Buffered by bytes, not by pieces: a slow client must not make the server read ahead.
    stream: Readable.from(content.read({ start, end }), { objectMode: false, highWaterMark: PIECE }),
  }
}

const outOfRange = (size: number): Answer => ({
  status: 416,
  headers: { 'content-range': `bytes */${size}` },
  body: [{ status: 416, title: 'Range Not Satisfiable', detail: `The content has ${size} bytes.` }],
})

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.join(', ')
