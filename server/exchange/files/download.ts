import { sql } from 'kysely'
import { notFound } from '../../engine/errors.ts'
import { type Id, parseId } from '../../engine/reference.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { contentAnswer } from '../../http/content-answer.ts'
import { blobsOf } from '../../intelligence/stored-blobs/store.ts'

interface Asked {
  readonly id: Id
  readonly headers: Incoming['headers']
}

interface Found {
  readonly name: string
  readonly key: string
  readonly size: number
  readonly content_type: string
}

/** Downloads the content of a file. */
export const downloadFile: Route<Asked, Answer> = {
  method: 'GET',
  path: '/files/:id/download',
  permission: 'read files',
  doc: {
    operationId: 'download_files',
    summary: 'Download the content of a file',
    tag: 'files',
    success: { 200: null, 206: null, 304: null },
    refusals: [404, 416],
  },
  parse: ({ params: { id: text = '' }, headers }) => {
    const id = parseId('integer', text)
    if (id === undefined) throw notFound(text)
    return { id, headers }
  },
  run: async (ctx, { id, headers }) => {
    const { rows } = await sql<Found>`
      select t.name, b.key, b.size, t.content_type
      from files as t join stored_blobs as b on b.key = t.sha256
      where t.id = ${id} and ${visible(ctx, resourceOf(ctx, 'files'))}`.execute(ctx.db)
    const found = rows[0]
    if (!found) throw notFound(id)
    const { name, key, size, content_type } = found
    return contentAnswer(headers, {
      name: name || String(id),
      tag: key,
      size,
      type: isHarmless(content_type) ? content_type : '',
      read: (span) => blobsOf(ctx).open(key, span),
    })
  },
  answer: (answer) => answer,
}

/** Uploaders choose the media type, so only those that browsers never execute are passed on. */
const isHarmless = (type: string): boolean =>
  ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain'].includes(type)
