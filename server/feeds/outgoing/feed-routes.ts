import { sql } from 'kysely'
import { z } from 'zod'
import { startRuns } from '../../background/runs.ts'
import { readParameters } from '../../background/task.ts'
import { defineAction } from '../../engine/action.ts'
import type { Context, Item } from '../../engine/context.ts'
import { conflict, notFound } from '../../engine/errors.ts'
import { makeId } from '../../engine/ids.ts'
import { parseId, toUrl } from '../../engine/reference.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import { touch } from '../../engine/write.ts'
import { asUser } from '../../identity/access/as-user.ts'
import { FEEDS } from '../feed-tasks.ts'
import { reportRoute } from '../reports.ts'
import { mayReadContent } from './content-access.ts'
import { beginEpoch } from './epoch.ts'
import { findOutgoingFeed, type OutgoingFeed } from './feed.ts'
import { latestRoutes } from './latest.ts'
import { mispFolderRoute } from './misp-folder.ts'
import { resetKeys } from './stored-keys.ts'

const tag = 'outgoing_feeds'

const run = defineAction({
  name: 'run_outgoing_feeds',
  doc: 'Package and deliver an outgoing feed now',
  tag,
  method: 'POST',
  path: '/outgoing-feeds/:id/run',
  permission: 'modify outgoing-feeds',
  status: 202,
  result: z.object({ task_run: z.url() }),
  refusals: [404, 409],
  run: async (ctx, _, request) => {
    const feed = await requireFeed(ctx, request)
    if (!feed.is_active) throw conflict(`The feed '${feed.name}' is not active.`)
    return { task_run: toUrl(ctx.baseUrl, 'task_runs', await startFeedTask(ctx, feed, {})) }
  },
})

const preview = defineAction({
  name: 'preview_outgoing_feeds',
  doc: 'Preview the next block of an outgoing feed; nothing is stored or sent',
  tag,
  method: 'POST',
  path: '/outgoing-feeds/:id/preview',
  permission: 'read outgoing-feeds',
  status: 202,
  result: z.object({ task_run: z.url(), report: z.url() }),
  refusals: [404, 409],
  run: async (ctx, _, request) => {
    const feed = await requireFeed(ctx, request)
    await requireReadableContent(ctx, feed.id)
    const id = await startFeedTask(ctx, feed, { preview: true })
    const url = toUrl(ctx.baseUrl, 'outgoing_feeds', feed.id)
    return { task_run: toUrl(ctx.baseUrl, 'task_runs', id), report: `${url}/previews/${id}` }
  },
})

const restart = defineAction({
  name: 'restart_outgoing_feeds',
  doc: 'Restart an outgoing feed: its blocks are purged, and its next run sends everything',
  tag,
  method: 'POST',
  path: '/outgoing-feeds/:id/restart',
  permission: 'modify outgoing-feeds',
  result: z.object({ epoch: z.int() }),
  refusals: [404],
  run: async (ctx, _, request) => {
    const { id } = await requireFeed(ctx, request)
    await sql`select from outgoing_feeds where id = ${id} for no key update`.execute(ctx.db)
    await beginEpoch(ctx, [id])
    await touch(ctx, resourceOf(ctx, 'outgoing_feeds'), id)
    const feed = await requireFeed(ctx, request)
    const owner = feed.owner === null ? undefined : await asUser(ctx, feed.owner)
    if (owner) await resetKeys({ ...ctx, caller: owner }, [feed])
    return { epoch: feed.epoch }
  },
})

/** The endpoints of outgoing feeds besides the standard ones. */
export const feedRoutes: readonly Route[] = [
  run,
  preview,
  restart,
  ...latestRoutes({ path: '/outgoing-feeds', permission: 'read content-blocks', tag }),
  mispFolderRoute,
  reportRoute(
    tag,
    '/outgoing-feeds/:id/previews/:run',
    'read outgoing-feeds',
    z.looseObject({}).describe('The next block, and what each rule excludes.'),
  ),
]

/** The feed in the path of a request. */
export async function requireFeed(ctx: Context, { params }: Pick<Incoming, 'params'>): Promise<OutgoingFeed> {
  const id = parseId('integer', params.id ?? '')
  const feed = id === undefined ? undefined : await findOutgoingFeed(ctx.db, Number(id))
  if (!feed) throw notFound(params.id ?? '')
  return feed
}

/** A 404 unless the caller may read the content of the feed. */
export async function requireReadableContent(ctx: Context, id: number): Promise<void> {
  const { rows } =
    await sql`select from outgoing_feeds as t where t.id = ${id} and ${mayReadContent(ctx, 't')}`.execute(ctx.db)
  if (rows.length === 0) throw notFound(id)
}

/** Starts a run of the task of a feed, and returns its id. */
export async function startFeedTask(ctx: Context, feed: OutgoingFeed, more: Item): Promise<string> {
  const type = ctx.taskTypes.get(FEEDS.outgoing_feeds.type)
  if (!type || feed.update_task === null) throw conflict(`The feed '${feed.name}' has no task.`)
  const parameters = readParameters(type, { feed: feed.id, ...more })
  const own = { id: makeId(), task: feed.update_task, type, parameters }
  const busy = (await startRuns(ctx.db, ctx.caller.id, [own], ctx.cause)).get(feed.update_task)
  if (busy) throw conflict(`The feed '${feed.name}' is already running: ${toUrl(ctx.baseUrl, 'task_runs', busy)}`)
  return own.id
}
