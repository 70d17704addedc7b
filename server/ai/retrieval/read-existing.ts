import { type Kysely, sql } from 'kysely'
import { READ_TYPES } from './pieces.ts'
import { lockPassages, refreshPassages } from './refresh-passages.ts'

const BATCH = 500

/** From now on, the follower keeps passages. Before, nothing is stored twice for an assistant that is not used. */
export async function beginPassages(db: Kysely<unknown>): Promise<void> {
  await sql`update passage_index set has_begun = true where not has_begun`.execute(db)
}

/**
 * Makes the passages of the next entities that were stored before `beginPassages`; gives whether there are more. What is written later is
 * left to the follower, whatever its id.
 */
export async function readExisting(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select from passage_index where has_begun and not is_complete`.execute(db)
  return rows.length > 0 && (await readNext(db))
}

const readNext = (db: Kysely<unknown>): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await lockPassages(trx)
    const { rows: known } = await sql<{ reached: string | null }>`
      select reached from passage_index where has_begun and not is_complete`.execute(trx)
    if (!known[0]) return false
    const { rows } = await sql<{ id: string }>`
      select id from entities
      where id > coalesce(${known[0].reached}::uuid, '00000000-0000-0000-0000-000000000000') and type = any(${READ_TYPES}::text[])
      order by id
      limit ${BATCH}`.execute(trx)
    const ids = rows.map(({ id }) => id)
    await refreshPassages(trx, ids)
    const isComplete = ids.length < BATCH
    await sql`
      update passage_index set reached = coalesce(${ids.at(-1) ?? null}::uuid, reached), is_complete = ${isComplete}`.execute(
      trx,
    )
    return !isComplete
  })
