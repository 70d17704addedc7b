import { sql } from 'kysely'
import { z } from 'zod'
import { notFound } from '../../engine/errors.ts'
import { computed, int, json, oneOf, ref, strings, text, timestamp } from '../../engine/field.ts'
import { readId } from '../../engine/query.ts'
import type { Id } from '../../engine/reference.ts'
import { defineResource } from '../../engine/resource.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { readOnly } from '../../engine/standard.ts'
import { contentAnswer } from '../../http/content-answer.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { blobsOf } from '../../intelligence/stored-blobs/store.ts'

/** Downloads what the source answered. */
const downloadRaw: Route<{ readonly id: Id; readonly headers: Incoming['headers'] }, Answer> = {
  method: 'GET',
  path: '/enrichments/:id/raw',
  permission: 'read enrichments',
  doc: {
    operationId: 'download_enrichments',
    summary: 'Download the answer of the service, without secrets. A 404 if there is none any more',
    tag: 'enrichments',
    success: { 200: null, 206: null, 304: null },
    refusals: [404, 416],
  },
  parse: ({ params, headers }) => ({ id: readId(enrichments, params.id ?? ''), headers }),
  run: async (ctx, { id, headers }) => {
    const { rows } = await sql<{ key: string; size: number }>`
      select b.key, b.size
      from enrichments as t join stored_blobs as b on b.key = t.raw
      where t.id = ${id} and ${visible(ctx, resourceOf(ctx, 'enrichments'))}`.execute(ctx.db)
    const [found] = rows
    if (!found) throw notFound(id)
    const { key, size } = found
    const read = (span: { start: number; end: number }) => blobsOf(ctx).open(key, span)
    return contentAnswer(headers, { name: `enrichment-${id}.txt`, tag: key, size, type: 'text/plain', read })
  },
  answer: (answer) => answer,
}

export const enrichments = defineResource({
  collection: 'enrichments',
  title: 'Enrichment',
  doc: 'The latest result of an enricher for an observable.',
  key: ['id'],
  fields: {
    enricher: ref('enrichers').readOnly(),
    observable: ref('observables').readOnly(),
    state: oneOf(['PENDING', 'FOUND', 'EMPTY', 'FAILED', 'SKIPPED'])
      .readOnly()
      .describe(
        'PENDING: not looked up yet. EMPTY: the service knows nothing about it. SKIPPED: it must not be looked up.',
      ),
    reason: text().nullable().readOnly().describe('Why the look-up failed or was skipped.'),
    is_pending: computed(
      'boolean',
      z.boolean(),
      'exists (select from enrichment_requests as q where q.enricher = t.enricher and q.observable = t.observable)',
    ).describe('Whether a look-up is in the queue.'),
    findings: json(z.array(z.looseObject({ kind: z.string() })))
      .readOnly()
      .describe('What it found: verdicts, links, entities, tags, attack nodes and references.'),
    warnings: strings().readOnly().describe('What could not be read or stored.'),
    looked_up_at: timestamp().nullable().readOnly(),
    expires_at: timestamp().nullable().readOnly().describe('Until when the result is used again; null for failures.'),
    raw_size: computed('bigint', z.int(), 't.raw_size').describe(
      'The size of the answer of the service; null if it is not kept.',
    ),
    run: ref('task_runs').nullable().readOnly(),
    requested_by: ref('users').nullable().readOnly(),
    created_at: timestamp().stamped('created-at'),
    vis: int().hidden(),
  },
  visible: (ctx, t) => sql`(${holdsKey(ctx, sql.ref(`${t}.vis`))} and exists (
    select from observables as about
    where about.id = ${sql.ref(`${t}.observable`)} and ${visible(ctx, resourceOf(ctx, 'observables'), 'about')}))`,
  operations: readOnly,
  routes: (standard) => [downloadRaw, ...standard],
})
