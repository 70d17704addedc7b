import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'

export const BLOB_STATES = ['PENDING', 'SUCCESS', 'WARNING', 'FAILURE', 'PURGED'] as const

/**
 * Deletes the content of blobs `t` and the outcomes of their objects, and returns the number of blobs. The rows stay, so that the same
 * content is not stored again.
 */
export async function purgeBlobs(
  db: Kysely<unknown>,
  which: RawBuilder<SqlBool>,
  limit: number | null = null,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with chosen as (
      select t.id, t.file from incoming_blobs as t
      where t.state <> 'PURGED' and ${which}
      order by t.id
      limit ${limit}
      for update of t
    ), purged as (
      update incoming_blobs as b
      set state = 'PURGED', file = null, reason = null, signature = null, purged_at = now()
      from chosen
      where b.id = chosen.id
    ), gone as (
      delete from files where id in (select file from chosen)
    )
    select count(*) from chosen`.execute(db)
  return rows[0]?.count ?? 0
}

/** A blob may have a hundred thousand outcomes. */
const BLOBS_PER_BATCH = 10

/** Purges any number of blobs, in small batches. */
export async function purgeAllBlobs(db: Kysely<unknown>, which: RawBuilder<SqlBool>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await purgeBlobs(db, which, BLOBS_PER_BATCH)
    if (count === 0) return total
    total += count
  }
}
