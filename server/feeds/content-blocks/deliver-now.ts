import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { conflict, gone, notFound } from '../../engine/errors.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { blockId } from '../../exchange/block-content.ts'
import { requireFeed, startFeedTask } from '../outgoing/feed-routes.ts'

interface WaitingBlock {
  readonly feed: number
  readonly delivery_status: string
  readonly purged_at: string | null
}

/** The endpoint that starts a run to deliver a waiting block, after older blocks of its feed. */
export const deliverNow: Route = defineAction({
  name: 'deliver_content_blocks',
  doc: 'Deliver a waiting block now, after the older waiting blocks of its feed',
  tag: 'content_blocks',
  method: 'POST',
  path: '/content-blocks/:id/deliver',
  permission: 'modify outgoing-feeds',
  status: 202,
  result: z.object({ task_run: z.url() }),
  refusals: [404, 409, 410],
  run: async (ctx, _, { params }) => {
    const id = blockId(params.id)
    const block = await find(ctx, id)
    if (block.purged_at !== null) throw gone(`The content of block ${id} was purged.`)
    if (block.delivery_status !== 'PENDING')
      throw conflict(`Block ${id} is not waiting for delivery: it is ${block.delivery_status}.`)
    const feed = await requireFeed(ctx, { params: { id: String(block.feed) } })
    if (!feed.is_active) throw conflict(`The feed '${feed.name}' is not active.`)
    return { task_run: toUrl(ctx.baseUrl, 'task_runs', await startFeedTask(ctx, feed, {})) }
  },
})

async function find(ctx: Context, id: Id): Promise<WaitingBlock> {
  const { rows } = await sql<WaitingBlock>`
    select t.outgoing_feed as feed, t.delivery_status, t.purged_at
    from content_blocks as t
    where t.id = ${id} and ${visible(ctx, resourceOf(ctx, 'content_blocks'))}`.execute(ctx.db)
  if (!rows[0]) throw notFound(id)
  return rows[0]
}
