import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/errors.ts'
import { type Id, parseId } from '../../engine/reference.ts'
import type { Answer, Incoming, Route, RouteDoc } from '../../engine/route.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { contentAnswer } from '../../http/content-answer.ts'
import { readBlob } from './blobs.ts'

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
    const { filename, sha256, size, content_type } = await findFile(ctx, id)
    return contentAnswer(headers, {
      name: filename || String(id),
      tag: sha256.toString('hex'),
      size,
      type: content_type,
      read: (span) => readBlob(ctx, sha256, span),
    })
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

/** Downloads of attachments, also under the private path that images embedded in descriptions refer to. */
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
