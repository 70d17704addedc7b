import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/errors.ts'
import { type Id, parseId } from '../../engine/reference.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'
import { blockId, documentOf, partAnswer } from '../../exchange/block-content.ts'
import { findContentBlock } from '../content-blocks/find-content-block.ts'
import { requireFeed, requireReadableContent } from './feed-routes.ts'
import { latestRoutes } from './latest.ts'

const tag = 'compatibility'
const PATH = '/outgoing-feed-download'
/** The users of these clients have no other permission for feeds. */
const permission = 'read outgoing-feeds'

const result = z.object({
  content_blocks: z.array(z.string()).describe('Paths of blocks, oldest first.'),
})

/** The paths of the existing blocks of a feed that meet a condition. */
async function listBlocks(ctx: Context, feed: number, condition: RawBuilder<SqlBool>) {
  const { rows } = await sql<{ id: number; run_id: string }>`
    select t.id, t.run_id
    from content_blocks as t join outgoing_feeds as f on f.id = t.outgoing_feed and f.epoch = t.epoch
    where f.id = ${feed} and t.purged_at is null and ${condition}
    order by t.id`.execute(ctx.db)
  return { content_blocks: rows.map(({ id, run_id }) => `/private${PATH}/${feed}/runs/${run_id}/content-blocks/${id}`) }
}

async function readableFeed(ctx: Context, request: Incoming): Promise<number> {
  const { id } = await requireFeed(ctx, request)
  await requireReadableContent(ctx, id)
  return id
}

const allBlocks = defineAction({
  name: 'list_outgoing_feed_blocks_private',
  doc: 'List the blocks of an outgoing feed',
  tag,
  method: 'GET',
  base: '/private',
  path: `${PATH}/:id`,
  permission,
  result,
  refusals: [404],
  run: async (ctx, _, request) => listBlocks(ctx, await readableFeed(ctx, request), sql`true`),
})

const blocksOfRun = defineAction({
  name: 'list_outgoing_feed_run_blocks_private',
  doc: 'List the blocks that a run of an outgoing feed wrote; `latest` is the latest run that wrote any',
  tag,
  method: 'GET',
  base: '/private',
  path: `${PATH}/:id/runs/:run`,
  permission,
  result,
  refusals: [404],
  run: async (ctx, _, request) => {
    const feed = await readableFeed(ctx, request)
    if (request.params.run === 'latest') return listBlocks(ctx, feed, isOfLatest)
    const run = parseId('uuid', request.params.run ?? '')
    if (run === undefined || !(await isRunOf(ctx, feed, run))) throw notFound(request.params.run ?? '')
    return listBlocks(ctx, feed, sql`t.run_id = ${run}`)
  },
})

const isOfLatest: RawBuilder<SqlBool> = sql`t.run_id = (
  select n.run_id from content_blocks as n
  where n.outgoing_feed = f.id and n.epoch = f.epoch and n.purged_at is null
  order by n.id desc
  limit 1)`

/** A run may have written nothing, because nothing was new. */
async function isRunOf(ctx: Context, feed: number, run: Id): Promise<boolean> {
  const { rows } = await sql`
    select from content_blocks where outgoing_feed = ${feed} and run_id = ${run}
    union all
    select from task_runs as r join outgoing_feeds as f on f.update_task = r.task where f.id = ${feed} and r.id = ${run}`.execute(
    ctx.db,
  )
  return rows.length > 0
}

interface BlockRequest {
  readonly feed: Id
  readonly run: Id
  readonly block: Id
  readonly headers: Incoming['headers']
}

const blockContent: Route<BlockRequest, Answer> = {
  method: 'GET',
  base: '/private',
  path: `${PATH}/:id/runs/:run/content-blocks/:block`,
  permission,
  doc: {
    operationId: 'download_content_block_private',
    summary: 'Download the content of a block',
    tag,
    success: { 200: null, 206: null, 304: null },
    refusals: [404, 410, 416],
  },
  parse: ({ params, headers }) => {
    const run = parseId('uuid', params.run ?? '')
    if (run === undefined) throw notFound(params.run ?? '')
    return { feed: blockId(params.id), run, block: blockId(params.block), headers }
  },
  run: async (ctx, { feed, run, block, headers }) => {
    const found = await findContentBlock(ctx, block, sql`t.outgoing_feed = ${feed} and t.run_id = ${run}`)
    return partAnswer(headers, documentOf(ctx, found))
  },
  answer: (answer) => answer,
}

/** The endpoints from which existing integrations fetch the content of outgoing feeds. */
export const outgoingFeedDownloads: readonly Route[] = [
  allBlocks,
  blocksOfRun,
  blockContent,
  ...latestRoutes({ base: '/private', path: PATH, permission, tag, suffix: '_private' }),
]
