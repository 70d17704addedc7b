import { sql } from 'kysely'
import { defineAction } from '../../engine/action.ts'
import { requireVisible } from '../../engine/fetch.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import { blockId, documentOf, lossesOf, partRoute, signatureOf } from '../../exchange/block-content.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { deliverNow } from './deliver-now.ts'
import { findContentBlock } from './find-content-block.ts'
import { purgeBlocks } from './purge-blocks.ts'

const blocks = {
  collection: 'content_block',
  path: '/content-blocks',
  permission: 'read content-blocks',
  refusals: [410],
  find: findContentBlock,
}

/** The endpoints of content blocks besides the standard ones. */
export const contentBlockRoutes: readonly Route[] = [
  partRoute(blocks, 'download', 'Download the content of a block', documentOf),
  partRoute(
    blocks,
    'losses',
    'Read what the content type of a block could not represent, one JSON object per line',
    lossesOf,
  ),
  partRoute(blocks, 'signature', 'Download the detached OpenPGP signature of a block', signatureOf),
  deliverNow,
  defineAction({
    name: 'delete_content_blocks',
    doc: 'Purge a block: its content is deleted, its record is kept',
    tag: 'content_blocks',
    method: 'DELETE',
    path: '/content-blocks/:id',
    permission: 'modify outgoing-feeds',
    refusals: [404],
    run: async (ctx, _, { params }) => {
      const id = blockId(params.id)
      await requireVisible(ctx, resourceOf(ctx, 'content_blocks'), id)
      if ((await purgeBlocks(ctx.db, sql`t.id = ${id}`, ctx.caller)) > 0) await sweepSoon(ctx)
    },
  }),
]
