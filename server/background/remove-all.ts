import { type Kysely, type RawBuilder, sql } from 'kysely'

const BATCH_SIZE = 5000

/** Deletes the rows `t` that match a condition in small transactions, so that others do not wait for a large one. */
export async function removeAll(
  db: Kysely<unknown>,
  table: string,
  isOld: RawBuilder<unknown>,
  signal: AbortSignal,
): Promise<number> {
  for (let total = 0; ; ) {
    signal.throwIfAborted()
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
      where ctid = any(array(select t.ctid from ${sql.table(table)} as t where ${isOld} limit ${BATCH_SIZE}))`.execute(
      db,
    )
    const removed = Number(numAffectedRows ?? 0)
    total += removed
    if (removed < BATCH_SIZE) return total
  }
}
