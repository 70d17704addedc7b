import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Server } from '../../server.ts'
import { blobsOf } from './store.ts'

/** The tables that refer to blobs, and the column that holds the key. */
const REFERRING = [
  ['files', 'sha256'],
  ['export_blocks', 'sha256'],
  ['export_blocks', 'losses'],
  ['content_blocks', 'sha256'],
  ['content_blocks', 'losses'],
] as const

const AT_ONCE = 100

/** Held by who sweeps; a backup shares it. Any constant will do, as long as nothing else in the database locks by it. */
export const SWEEP_LOCK = 0x636f7279

/** The type of the task that sweeps. */
export const SWEEP = 'remove-unused-blobs'

const isUnused: RawBuilder<SqlBool> = sql`b.claimed_until < now() and ${sql.join(
  REFERRING.map(
    ([table, column]) => sql`not exists (select from ${sql.table(table)} as r where r.${sql.ref(column)} = b.key)`,
  ),
  sql` and `,
)}`

/** Removes the bytes that nothing refers to any more, and tells of how many. */
export async function sweepBlobs(server: Server, signal?: AbortSignal): Promise<number> {
  let removed = 0
  for (;;) {
    signal?.throwIfAborted()
    const count = await sweepSome(server)
    removed += count
    if (count === 0) return removed
  }
}

/**
 * The row stays locked until its bytes are gone: whoever stores them again waits for that, and then writes them anew. After a
 * crash in between, the row is still there and the next sweep goes on.
 */
const sweepSome = (server: Server): Promise<number> =>
  server.db.transaction().execute(async (db) => {
    const { rows: held } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(${SWEEP_LOCK}) as is_mine`.execute(db)
    // Another process sweeps, or a backup copies what is there: the next run does it.
    if (!held[0]?.is_mine) return 0
    const { rows: locked } = await sql<{ key: string }>`
      select b.key
      from stored_blobs as b
      where ${isUnused}
      order by b.key
      limit ${AT_ONCE}
      for update skip locked`.execute(db)
    // Somebody may have come to refer to one before it was locked, which only a statement that begins later sees.
    const { rows } = await sql<{ key: string }>`
      delete from stored_blobs as b
      where b.key = any(${locked.map(({ key }) => key)}::text[]) and ${isUnused}
      returning b.key`.execute(db)
    for (const { key } of rows) await blobsOf(server).remove(key)
    return rows.length
  })
