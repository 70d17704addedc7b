import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { notFound } from '../../engine/errors.ts'
import { type Id, parseId } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import type { Answer, Incoming, Route, RouteDoc } from '../../engine/route.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { PIECE, readBlob } from './blobs.ts'
import { dispositionOf } from './filename.ts'
import { servedTypeOf } from './media-type.ts'
import { namesTag, readRange, type Span } from './range.ts'

interface Request {
  readonly id: Id
  readonly headers: Incoming['headers']
}

interface File {
  readonly filename: string
  readonly sha256: Buffer
  readonly size: number
  readonly content_type: string
}

const download: Omit<Route<Request, Answer>, 'doc'> = {
  method: 'GET',
  path: '/entities/attachments/:id/download',
  permission: 'read entities',
  parse: ({ params: { id: text = '' }, headers }) => {
    const id = parseId('uuid', text)
    if (id === undefined) throw notFound(text)
    return { id, headers }
  },
  run: async (ctx, { id, headers }) => {
    const file = await findFile(ctx, id)
    const tag = `"${file.sha256.toString('hex')}"`
    const common = { etag: tag, 'cache-control': 'private, no-cache' }
    if (namesTag(textOf(headers['if-none-match']), tag)) return { status: 304, headers: common }
    const isSame = headers['if-range'] === undefined || headers['if-range'] === tag
    const span = isSame ? readRange(textOf(headers.range), file.size) : undefined
    return span === null ? outOfRange(file.size) : contentAnswer(ctx, { ...file, id }, common, span)
  },
  answer: (answer) => answer,
}

const doc = (operationId: string, tag: string): RouteDoc => ({
  operationId,
  summary: 'Download the content of an attachment',
  tag,
  success: { 200: null, 206: null, 304: null },
  refusals: [404, 416],
})

/** The content of an attachment, and the path that descriptions with embedded images lead to. */
export const downloadRoutes: readonly Route[] = [
  { ...download, doc: doc('download_attachment', 'attachments') },
  { ...download, base: '/private', doc: doc('download_attachment_private', 'compatibility') },
]

async function findFile(ctx: Context, id: Id): Promise<File> {
  const { rows } = await sql<File>`
    select t.filename, b.sha256, b.size, b.content_type
    from attachments as t join blobs as b on b.sha256 = t.sha256
    where t.id = ${id} and ${visible(ctx, resourceOf(ctx, 'attachments'))}`.execute(ctx.db)
  if (!rows[0]) throw notFound(id)
  return rows[0]
}

function contentAnswer(
  ctx: Context,
  { id, filename, sha256, size, content_type }: File & { readonly id: Id },
  common: Readonly<Record<string, string>>,
  part: Span | undefined,
): Answer {
  const { start, end } = part ?? { start: 0, end: size }
  return {
    status: part ? 206 : 200,
    headers: {
      ...common,
      'accept-ranges': 'bytes',
      'content-type': servedTypeOf(content_type),
      'content-length': String(end - start),
      ...(part && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
      'content-disposition': dispositionOf(filename || String(id)),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
    // Buffered by bytes, not by pieces: a slow client must not make the server read ahead.
    stream: Readable.from(readBlob(ctx, sha256, { start, end }), { objectMode: false, highWaterMark: PIECE }),
  }
}

const outOfRange = (size: number): Answer => ({
  status: 416,
  headers: { 'content-range': `bytes */${size}` },
  body: [{ status: 416, title: 'Range Not Satisfiable', detail: `The content has ${size} bytes.` }],
})

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.join(', ')
