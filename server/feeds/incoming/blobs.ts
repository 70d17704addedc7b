import { sql } from 'kysely'
import { z } from 'zod'
import { mayReadOwnRun } from '../../background/run-details.ts'
import { defineAction } from '../../engine/action.ts'
import { conflict, gone, notFound } from '../../engine/errors.ts'
import { computed, Field, found, int, json, oneOf, ref, text, timestamp } from '../../engine/field.ts'
import { routesBelow } from '../../engine/nested-routes.ts'
import { readId } from '../../engine/query.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import { type Context, defineResource } from '../../engine/resource.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'
import { readOnly } from '../../engine/standard.ts'
import { contentAnswer } from '../../http/content-answer.ts'
import { blobsOf } from '../../intelligence/stored-blobs/store.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { outcomesOfBlob } from './blob-outcomes.ts'
import { BLOB_STATES, purgeBlobs } from './purge-blobs.ts'
import { feedIn, started } from './run.ts'
import { isSeen } from './seen.ts'
import { startFeedRun } from './take-in.ts'

const size = new Field({ ...int().readOnly().props, storage: { kind: 'column', type: 'bigint' } as const })

/** What a feed fetched, or was sent. */
export const blobs = defineResource({
  collection: 'incoming_blobs',
  title: 'Incoming blob',
  doc: 'Something that an incoming feed fetched, as it came, and what became of it; for users who see the source of the feed.',
  key: ['id'],
  permission: 'incoming-feeds',
  fields: {
    feed: ref('incoming_feeds').readOnly(),
    name: text().readOnly().describe('What the feed calls it: an address, the id of an event, the name of a file.'),
    state: oneOf(BLOB_STATES)
      .readOnly()
      .describe('WARNING: something of it was lost. FAILURE: it could not be read. PURGED: its content is gone.'),
    reason: text().nullable().readOnly().describe('Why it could not be processed.'),
    format: computed('text', z.string().nullable(), 'select f.format from files as f where f.id = t.file').describe(
      'What its content was recognised as.',
    ),
    size,
    sha256: text().readOnly(),
    result: json(z.unknown())
      .nullable()
      .shownTo(mayReadOwnRun, 'null::jsonb')
      .readOnly()
      .describe('What processing it counted; null for users who may not read the details of the run.'),
    run: ref('task_runs').nullable().readOnly().describe('The run that processed it.'),
    fetched_at: timestamp().stamped('created-at'),
    processed_at: timestamp().nullable().readOnly(),
    purged_at: timestamp().nullable().readOnly(),
    created_by: ref('users').nullable().stamped('created-by').describe('Who sent it; null where the feed fetched it.'),
  },
  places: { owner: found('incoming_feeds', 't.feed') },
  visible: (ctx, t) => sql`exists (
    select from incoming_feeds as about where about.id = ${sql.ref(`${t}.feed`)} and ${isSeen(ctx, sql`about.source`)})`,
  operations: readOnly,
})

interface Found {
  readonly id: number
  readonly state: string
  readonly name: string
  readonly key: string | null
  readonly size: number
}

/** A blob of a feed, locked in a write; a 404 where there is none, or where its content is not for the caller. */
async function findBlob(ctx: Context, params: Incoming['params'], isLocked: boolean, mustSee = true): Promise<Found> {
  const feed = feedIn(ctx, params.id)
  const id = readId(blobs, params.inner_id ?? '')
  const { rows } = await sql<Found>`
    select t.id, t.state, t.name, t.size, (select f.sha256 from files as f where f.id = t.file) as key
    from incoming_blobs as t join incoming_feeds as f on f.id = t.feed
    where t.id = ${id} and t.feed = ${feed} and ${mustSee ? isSeen(ctx, sql`f.source`) : sql`true`}
    ${isLocked ? sql`for update of t` : sql``}`.execute(ctx.db)
  if (!rows[0]) throw notFound(id)
  return rows[0]
}

async function requireBelow(ctx: Context, owner: Id, id: Id): Promise<void> {
  const { rows } = await sql`select from incoming_blobs where id = ${id} and feed = ${owner}`.execute(ctx.db)
  if (rows.length === 0) throw notFound(id)
}

const about = { tag: 'incoming_feeds', permission: 'modify incoming-feeds' }

const PURGED = 'Its content is purged.'

const downloadBlob: Route<Incoming, Answer> = {
  method: 'GET',
  path: '/incoming-feeds/:id/blobs/:inner_id/download',
  permission: 'read incoming-feeds',
  doc: {
    operationId: 'download_incoming_blobs',
    summary: 'Download what an incoming feed fetched, as it came; for those who see the source of the feed',
    tag: 'incoming_feeds',
    success: { 200: null, 206: null, 304: null },
    refusals: [404, 410, 416],
  },
  parse: (request) => request,
  run: async (ctx, { params, headers }) => {
    const { id, name, key, size: bytes } = await findBlob(ctx, params, false)
    if (key === null) throw gone(PURGED)
    // Whoever made it says what it is: a browser must not be talked into running it.
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

/** Has blobs processed again, and gives the URL of the run. */
async function again(ctx: Context, feed: number, ids: readonly number[]): Promise<{ task_run: string }> {
  await sql`
    update incoming_blobs set state = 'PENDING', reason = null, result = null, processed_at = null, begun_transfer = null
    where id = any(${ids}::integer[])`.execute(ctx.db)
  return { task_run: toUrl(ctx.baseUrl, 'task_runs', await startFeedRun(ctx, feed, { collect: false })) }
}

/** What feeds fetched, and what can be done with it. */
export const blobRoutes: readonly Route[] = [
  ...routesBelow({ owners: 'incoming_feeds', segment: 'blobs', verbs: ['list', 'get'], check: requireBelow }, blobs),
  downloadBlob,
  outcomesOfBlob,
  defineAction({
    ...about,
    name: 'process_incoming_blobs',
    doc: 'Process something again that an incoming feed fetched',
    method: 'POST',
    path: '/incoming-feeds/:id/blobs/:inner_id/process',
    status: 202,
    result: started,
    refusals: [404, 409, 410],
    run: async (ctx, _, { params }) => {
      const { id, state } = await findBlob(ctx, params, true, false)
      if (state === 'PURGED') throw gone(PURGED)
      if (state === 'PENDING') throw conflict('It waits to be processed by itself.')
      return again(ctx, feedIn(ctx, params.id), [id])
    },
  }),
  defineAction({
    ...about,
    name: 'process_failed_incoming_blobs',
    doc: 'Process again all that an incoming feed fetched and that could not be processed',
    method: 'POST',
    path: '/incoming-feeds/:id/blobs/process',
    status: 202,
    result: z.object({ task_run: z.url().nullable(), blobs: z.int() }),
    refusals: [404, 409],
    run: async (ctx, _, { params }) => {
      const feed = feedIn(ctx, params.id)
      const { rows: feeds } = await sql`select from incoming_feeds where id = ${feed}`.execute(ctx.db)
      if (feeds.length === 0) throw notFound(feed)
      const { rows } = await sql<{ id: number }>`
        select id from incoming_blobs where feed = ${feed} and state = 'FAILURE' order by id for update`.execute(ctx.db)
      const ids = rows.map(({ id }) => id)
      const { task_run } = ids.length > 0 ? await again(ctx, feed, ids) : { task_run: null }
      return { task_run, blobs: ids.length }
    },
  }),
  defineAction({
    ...about,
    name: 'purge_incoming_blobs',
    doc: 'Delete the content of something that an incoming feed fetched; that it was there stays known',
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
