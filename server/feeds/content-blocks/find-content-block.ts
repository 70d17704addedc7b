import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { gone, notFound } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import type { Block } from '../../exchange/block-content.ts'

/** The block with this id that the caller may read and that meets a condition; a 410 if it was purged. */
export async function findContentBlock(
  ctx: Context,
  id: Id,
  condition: RawBuilder<SqlBool> = sql`true`,
): Promise<Block> {
  const { rows } = await sql<Omit<Block, 'sha256'> & { sha256: string | null }>`
    select t.content_type, t.filename, t.sha256, t.losses, t.signature, t.size, l.size as losses_size, t.created_at
    from content_blocks as t
    left join stored_blobs as l on l.key = t.losses
    where t.id = ${id} and ${condition} and ${visible(ctx, resourceOf(ctx, 'content_blocks'))}`.execute(ctx.db)
  const [block] = rows
  if (!block) throw notFound(id)
  const { sha256 } = block
  if (sha256 === null) throw gone(`The content of block ${id} was purged.`)
  return { ...block, sha256 }
}
