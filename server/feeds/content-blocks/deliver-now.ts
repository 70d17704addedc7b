import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import { conflict, gone, notFound } from '../../engine/errors.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { blockId } from '../../exchange/block-content.ts'
import { requireFeed, start } from '../outgoing/routes.ts'

interface Waiting {
  readonly feed: number
  readonly delivery_status: string
  readonly purged_at: string | null
}

/** Has a block that waits delivered at once, behind those that wait before it, by a run of its feed. */
export const deliverNow: Route = defineAction({
  name: 'deliver_content_blocks',
  doc: 'Have a block delivered now that waits for it, and those of its feed that wait before it',
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
    if (block.purged_at !== null) throw gone(`The content of block ${id} is no longer kept.`)
    if (block.delivery_status !== 'PENDING')
      throw conflict(`Block ${id} does not wait: it is ${block.delivery_status}.`)
    const feed = await requireFeed(ctx, { params: { id: String(block.feed) } })
    if (!feed.is_active) throw conflict(`The feed '${feed.name}' is not active.`)
    return { task_run: toUrl(ctx.baseUrl, 'task_runs', await start(ctx, feed, {})) }
  },
})

async function find(ctx: Context, id: Id): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select t.outgoing_feed as feed, t.delivery_status, t.purged_at
    from content_blocks as t
    where t.id = ${id} and ${visible(ctx, resourceOf(ctx, 'content_blocks'))}`.execute(ctx.db)
  if (!rows[0]) throw notFound(id)
  return rows[0]
}
