import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Caller } from '../../engine/context.ts'
import { logged } from '../../engine/log.ts'
import { NOBODY } from '../../engine/route.ts'

/**
 * Purges the content of the blocks `t` that meet a condition, and returns their number. The rows stay and show that the content is
 * gone; the next sweep deletes the bytes.
 */
export async function purgeBlocks(
  db: Kysely<unknown>,
  condition: RawBuilder<SqlBool>,
  caller: Caller = NOBODY,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with purged as (
      update content_blocks as t
      set sha256 = null, losses = null, signature = null, purged_at = now(),
        delivery_error = case when t.delivery_status = 'PENDING' then ${UNDELIVERED} else t.delivery_error end,
        delivery_status = case when t.delivery_status = 'PENDING' then 'FAILED' else t.delivery_status end
      where t.purged_at is null and ${condition}
      returning t.id
    ), ${logged({ caller }, { collection: 'content_blocks' }, 'update', sql`purged`)}
    select count(*) as count from purged`.execute(db)
  return rows[0]?.count ?? 0
}

const UNDELIVERED = 'It was purged before it was delivered.'
