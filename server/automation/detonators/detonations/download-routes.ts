import { sql } from 'kysely'
import { notFound } from '../../../engine/errors.ts'
import { type Id, parseId } from '../../../engine/reference.ts'
import type { Answer, Incoming, Route } from '../../../engine/route.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { contentAnswer } from '../../../http/content-answer.ts'
import { dispositionOf } from '../../../http/filename.ts'
import { holdsKey } from '../../../identity/access/sight.ts'
import { readBlob } from '../../../intelligence/attachments/blobs.ts'
import { contentOf } from '../lane/work.ts'
import { readDetonatedFile } from './detonated-sample.ts'
import { archiveOf } from './sample-archive.ts'

interface Asked {
  readonly id: Id
  readonly headers: Incoming['headers']
}

const parse = ({ params: { id: text = '' }, headers }: Incoming): Asked => {
  const id = parseId('uuid', text)
  if (id === undefined) throw notFound(text)
  return { id, headers }
}

/** Downloads a report as the vendor sent it. */
const downloadReport: Route<Asked, Answer> = {
  method: 'GET',
  path: '/detonations/:id/report',
  permission: 'read detonations',
  doc: {
    operationId: 'download_report_detonations',
    summary:
      'Download the report as the vendor sent it, without secrets. A 404 if there is none or it is no longer kept',
    tag: 'detonations',
    success: { 200: null, 206: null, 304: null },
    refusals: [404, 416],
  },
  parse,
  run: async (ctx, { id, headers }) => {
    const { rows } = await sql<{ filename: string; sha256: Buffer; size: number; content_type: string }>`
      select a.filename, b.sha256, b.size, b.content_type
      from detonations as t
      join attachments as a on a.id = t.report
      join blobs as b on b.sha256 = a.sha256
      where t.id = ${id} and ${visible(ctx, resourceOf(ctx, 'detonations'))} and ${holdsKey(ctx, sql`t.vis`)}`.execute(
      ctx.db,
    )
    const [found] = rows
    if (!found) throw notFound(id)
    const { filename, sha256, size, content_type: type } = found
    return contentAnswer(headers, {
      name: filename || `detonation-${id}.json`,
      tag: sha256.toString('hex'),
      size,
      type,
      read: (span) => readBlob(ctx, sha256, span),
    })
  },
  answer: (answer) => answer,
}

/** Downloads a sample, in an archive that no program opens by accident. */
const downloadSample: Route<Asked, Answer> = {
  method: 'GET',
  path: '/detonations/:id/sample',
  permission: 'read detonations',
  doc: {
    operationId: 'download_sample_detonations',
    summary:
      'Download the sample as a zip archive, encrypted with the password `infected`. A 404 if it is an address or no longer stored',
    tag: 'detonations',
    success: { 200: null },
    refusals: [404],
  },
  parse,
  run: async (ctx, { id }) => {
    const found = await readDetonatedFile(ctx, id)
    const content = found && (await contentOf(ctx, found))
    if (!found || !content) throw notFound(id)
    const name = found.filename || found.sha256 || String(id)
    return {
      status: 200,
      headers: {
        'content-type': 'application/zip',
        'content-disposition': dispositionOf(`${name}.zip`),
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      },
      stream: await archiveOf(name, content()),
    }
  },
  answer: (answer) => answer,
}

/** The downloads of detonations. */
export const downloadRoutes: readonly Route[] = [downloadReport, downloadSample]
