import { Readable } from 'node:stream'
import type { Answer, Incoming } from '../engine/route.ts'
import { dispositionOf } from './filename.ts'
import { servedTypeOf } from './media-type.ts'
import { namesTag, readRange, type Span } from './range.ts'

/** Bytes offered as a download. */
export interface Content {
  readonly name: string
  /** Identifies the bytes: equal for equal content only. */
  readonly tag: string
  readonly size: number
  /** When the content last changed, in the API's time format. */
  readonly modifiedAt?: string | undefined
  /** The media type. It is sent to browsers only if they execute nothing in it. */
  readonly type: string
  read(span: Span): AsyncIterable<Buffer>
}

const PIECE = 256 * 1024

/** Responds to a download request with the whole content, a range, or 304. */
export function contentAnswer(headers: Incoming['headers'], content: Content): Answer {
  const tag = `"${content.tag}"`
  const modified = content.modifiedAt === undefined ? undefined : new Date(content.modifiedAt).toUTCString()
  const common = {
    etag: tag,
    'cache-control': 'private, no-cache',
    ...(modified !== undefined && { 'last-modified': modified }),
  }
  if (isKnown(headers, tag, modified)) return { status: 304, headers: common }
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
    // Buffered by bytes, not by chunks: a slow client must not make the server read ahead.
    stream: Readable.from(content.read({ start, end }), { objectMode: false, highWaterMark: PIECE }),
  }
}

/** Whether the client already has this content. A date counts only if the client sends no tag. */
function isKnown(headers: Incoming['headers'], tag: string, modified: string | undefined): boolean {
  const tags = textOf(headers['if-none-match'])
  if (tags !== undefined) return namesTag(tags, tag)
  const since = Date.parse(textOf(headers['if-modified-since']) ?? '')
  return modified !== undefined && Date.parse(modified) <= since
}

const outOfRange = (size: number): Answer => ({
  status: 416,
  headers: { 'content-range': `bytes */${size}` },
  body: [{ status: 416, title: 'Range Not Satisfiable', detail: `The content has ${size} bytes.` }],
})

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.join(', ')
