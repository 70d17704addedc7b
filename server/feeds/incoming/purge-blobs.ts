import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'

export const BLOB_STATES = ['PENDING', 'SUCCESS', 'WARNING', 'FAILURE', 'PURGED'] as const

/**
 * Forgets the content of blobs `t`, and what became of the objects in it; the rows stay, so that the same content is not taken in
 * again. Tells how many that were.
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

/** A blob may have told of a hundred thousand objects. */
const AT_ONCE = 10

/** The same for however many there are, a few at a time. */
export async function purgeAllBlobs(db: Kysely<unknown>, which: RawBuilder<SqlBool>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await purgeBlobs(db, which, AT_ONCE)
    if (count === 0) return total
    total += count
  }
}
