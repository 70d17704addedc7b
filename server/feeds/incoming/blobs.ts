import { sql } from 'kysely'
import { z } from 'zod'
import { mayReadOwnRun } from '../../background/run-details.ts'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { conflict, gone, notFound } from '../../engine/errors.ts'
import { computed, found, int, json, oneOf, ref, text, timestamp } from '../../engine/field.ts'
import { Field } from '../../engine/field-class.ts'
import { routesBelow } from '../../engine/nested-routes.ts'
import { readId } from '../../engine/query.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import { defineResource } from '../../engine/resource.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'
import { readOnly } from '../../engine/standard.ts'
import { contentAnswer } from '../../http/content-answer.ts'
import { blobsOf } from '../../intelligence/stored-blobs/store.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { outcomesOfBlob } from './blob-outcomes.ts'
import { BLOB_STATES, purgeBlobs } from './purge-blobs.ts'
import { parseFeedId, taskRunResult } from './run-route.ts'
import { isSourceAllowed } from './source-access.ts'
import { startFeedRun } from './start-feed-run.ts'

const size = new Field({ ...int().readOnly().props, storage: { kind: 'column', type: 'bigint' } as const })

/** The content that a feed fetched or that was sent to it. */
export const blobs = defineResource({
  collection: 'incoming_blobs',
  title: 'Incoming blob',
  doc: 'Content that an incoming feed fetched, unmodified, and the outcome of processing it. Visible to users who see the source of the feed.',
  key: ['id'],
  permission: 'incoming-feeds',
  fields: {
    feed: ref('incoming_feeds').readOnly(),
    name: text().readOnly().describe('The name given by the feed: an address, the id of an event, the name of a file.'),
    state: oneOf(BLOB_STATES)
      .readOnly()
      .describe('WARNING: part of it was lost. FAILURE: it could not be read. PURGED: its content was deleted.'),
    reason: text().nullable().readOnly().describe('Why it could not be processed.'),
    format: computed('text', z.string().nullable(), 'select f.format from files as f where f.id = t.file').describe(
      'The recognised format of its content.',
    ),
    size,
    sha256: text().readOnly(),
    result: json(z.unknown())
      .nullable()
      .shownTo(mayReadOwnRun, 'null::jsonb')
      .readOnly()
      .describe('Counts from processing it; null for users who may not read the details of the run.'),
    run: ref('task_runs').nullable().readOnly().describe('The run that processed it.'),
    fetched_at: timestamp().stamped('created-at'),
    processed_at: timestamp().nullable().readOnly(),
    purged_at: timestamp().nullable().readOnly(),
    created_by: ref('users')
      .nullable()
      .stamped('created-by')
      .describe('The user who sent it; null if the feed fetched it.'),
  },
  search: { filters: { owner: found('incoming_feeds', 't.feed') } },
  visible: (ctx, t) => sql`exists (
    select from incoming_feeds as about where about.id = ${sql.ref(`${t}.feed`)} and ${isSourceAllowed(ctx, sql`about.source`)})`,
  operations: readOnly,
})

interface FoundBlob {
  readonly id: number
  readonly state: string
  readonly name: string
  readonly key: string | null
  readonly size: number
}

/** A blob of a feed, locked for a write; a 404 if it does not exist or the caller must see its source and does not. */
async function findBlob(
  ctx: Context,
  params: Incoming['params'],
  isLocked: boolean,
  mustSee = true,
): Promise<FoundBlob> {
  const feed = parseFeedId(ctx, params.id)
  const id = readId(blobs, params.inner_id ?? '')
  const { rows } = await sql<FoundBlob>`
    select t.id, t.state, t.name, t.size, (select f.sha256 from files as f where f.id = t.file) as key
    from incoming_blobs as t join incoming_feeds as f on f.id = t.feed
    where t.id = ${id} and t.feed = ${feed} and ${mustSee ? isSourceAllowed(ctx, sql`f.source`) : sql`true`}
    ${isLocked ? sql`for update of t` : sql``}`.execute(ctx.db)
  if (!rows[0]) throw notFound(id)
  return rows[0]
}

async function requireBelow(ctx: Context, owner: Id, id: Id): Promise<void> {
  const { rows } = await sql`select from incoming_blobs where id = ${id} and feed = ${owner}`.execute(ctx.db)
  if (rows.length === 0) throw notFound(id)
}

const about = { tag: 'incoming_feeds', permission: 'modify incoming-feeds' }

const PURGED = 'The content of this blob was purged.'

const downloadBlob: Route<Incoming, Answer> = {
  method: 'GET',
  path: '/incoming-feeds/:id/blobs/:inner_id/download',
  permission: 'read incoming-feeds',
  doc: {
    operationId: 'download_incoming_blobs',
    summary: 'Download the unmodified content of a blob; requires access to the source of the feed',
    tag: 'incoming_feeds',
    success: { 200: null, 206: null, 304: null },
    refusals: [404, 410, 416],
  },
  parse: (request) => request,
  run: async (ctx, { params, headers }) => {
    const { id, name, key, size: bytes } = await findBlob(ctx, params, false)
    if (key === null) throw gone(PURGED)
    // The sender controls the content: without a type, a browser does not run it.
    return contentAnswer(headers, {
      name: name.split(/[/\\]/).at(-1) || String(id),
      tag: key,
      size: bytes,
      type: '',
      read: (span) => blobsOf(ctx).open(key, span),
    })
  },
  answer: (answer) => answer,
}

/** Starts processing blobs again, and returns the URL of the run. */
async function processAgain(ctx: Context, feed: number, ids: readonly number[]): Promise<{ task_run: string }> {
  await sql`
    update incoming_blobs set state = 'PENDING', reason = null, result = null, processed_at = null, begun_transfer = null
    where id = any(${ids}::integer[])`.execute(ctx.db)
  return { task_run: toUrl(ctx.baseUrl, 'task_runs', await startFeedRun(ctx, feed, { collect: false })) }
}

/** The endpoints of the blobs of incoming feeds. */
export const blobRoutes: readonly Route[] = [
  ...routesBelow({ owners: 'incoming_feeds', segment: 'blobs', verbs: ['list', 'get'], check: requireBelow }, blobs),
  downloadBlob,
  outcomesOfBlob,
  defineAction({
    ...about,
    name: 'process_incoming_blobs',
    doc: 'Process a blob of an incoming feed again',
    method: 'POST',
    path: '/incoming-feeds/:id/blobs/:inner_id/process',
    status: 202,
    result: taskRunResult,
    refusals: [404, 409, 410],
    run: async (ctx, _, { params }) => {
      const { id, state } = await findBlob(ctx, params, true, false)
      if (state === 'PURGED') throw gone(PURGED)
      if (state === 'PENDING') throw conflict('The blob is already waiting to be processed.')
      return processAgain(ctx, parseFeedId(ctx, params.id), [id])
    },
  }),
  defineAction({
    ...about,
    name: 'process_failed_incoming_blobs',
    doc: 'Process all failed blobs of an incoming feed again',
    method: 'POST',
    path: '/incoming-feeds/:id/blobs/process',
    status: 202,
    result: z.object({ task_run: z.url().nullable(), blobs: z.int() }),
    refusals: [404, 409],
    run: async (ctx, _, { params }) => {
      const feed = parseFeedId(ctx, params.id)
      const { rows: feeds } = await sql`select from incoming_feeds where id = ${feed}`.execute(ctx.db)
      if (feeds.length === 0) throw notFound(feed)
      const { rows } = await sql<{ id: number }>`
        select id from incoming_blobs where feed = ${feed} and state = 'FAILURE' order by id for update`.execute(ctx.db)
      const ids = rows.map(({ id }) => id)
      const { task_run } = ids.length > 0 ? await processAgain(ctx, feed, ids) : { task_run: null }
      return { task_run, blobs: ids.length }
    },
  }),
  defineAction({
    ...about,
    name: 'purge_incoming_blobs',
    doc: 'Purge a blob of an incoming feed: its content is deleted, its record is kept',
    method: 'DELETE',
    path: '/incoming-feeds/:id/blobs/:inner_id',
    refusals: [404],
    run: async (ctx, _, { params }) => {
      const { id } = await findBlob(ctx, params, true, false)
      await purgeBlobs(ctx.db, sql`t.id = ${id}`)
      await sweepSoon(ctx)
    },
  }),
]
