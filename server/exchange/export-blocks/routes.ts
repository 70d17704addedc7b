import { sql } from 'kysely'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { type Block, blockId, documentOf, lossesOf, partRoute, signatureOf } from '../block-content.ts'

const blocks = {
  collection: 'export_block',
  path: '/export-blocks',
  permission: 'read entities',
  find: findBlock,
}

/** Endpoints to download and delete a block. */
export const blockRoutes: readonly Route[] = [
  partRoute(blocks, 'download', 'Download an exported document', documentOf),
  partRoute(
    blocks,
    'losses',
    'Read what could not be written into an exported document, one JSON object per line',
    lossesOf,
  ),
  partRoute(blocks, 'signature', 'Download the detached OpenPGP signature of an exported document', signatureOf),
  defineAction({
    name: 'delete_export_blocks',
    doc: 'Delete one of your exported documents',
    tag: 'export_blocks',
    method: 'DELETE',
    path: '/export-blocks/:id',
    permission: 'read entities',
    refusals: [404],
    run: async (ctx, _, { params }) => {
      await standard.remove(ctx, resourceOf(ctx, 'export_blocks'), [blockId(params.id)])
      await sweepSoon(ctx)
    },
  }),
]

async function findBlock(ctx: Context, id: Id): Promise<Block> {
  const { rows } = await sql<Block>`
    select t.content_type, t.filename, t.sha256, t.losses, t.signature, b.size, l.size as losses_size, t.created_at
    from export_blocks as t
    join stored_blobs as b on b.key = t.sha256
    left join stored_blobs as l on l.key = t.losses
    where t.id = ${id} and ${visible(ctx, resourceOf(ctx, 'export_blocks'))}`.execute(ctx.db)
  if (!rows[0]) throw notFound(id)
  return rows[0]
}
