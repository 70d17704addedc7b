import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Server } from '../../server.ts'
import { blobsOf } from './store.ts'

/** The tables and columns that refer to blobs. */
const REFERRING = [
  ['files', 'sha256'],
  ['export_blocks', 'sha256'],
  ['export_blocks', 'losses'],
  ['content_blocks', 'sha256'],
  ['content_blocks', 'losses'],
  ['enrichments', 'raw'],
  ['enricher_tables', 'sha256'],
  ['detonations', 'sample'],
] as const

const SWEEP_BATCH_SIZE = 100

/** The advisory lock that a sweep holds and a backup shares. Any number that no other lock uses will do. */
export const SWEEP_LOCK = 0x636f7279

/** The type of the task that runs the sweep. */
export const SWEEP = 'remove-unused-blobs'

const isUnused: RawBuilder<SqlBool> = sql`b.claimed_until < now() and ${sql.join(
  REFERRING.map(
    ([table, column]) => sql`not exists (select from ${sql.table(table)} as r where r.${sql.ref(column)} = b.key)`,
  ),
  sql` and `,
)}`

/** Removes all blobs that nothing refers to any more, and returns their number. */
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
 * Removes one batch. The rows stay locked until their bytes are removed, so that a request that stores the same content waits and
 * then writes it again. After a crash in between, the rows still exist and the next sweep continues.
 */
const sweepSome = (server: Server): Promise<number> =>
  server.db.transaction().execute(async (db) => {
    const { rows: held } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(${SWEEP_LOCK}) as is_mine`.execute(db)
    // Another process is sweeping, or a backup is running. The next run takes over.
    if (!held[0]?.is_mine) return 0
    const { rows: locked } = await sql<{ key: string }>`
      select b.key
      from stored_blobs as b
      where ${isUnused}
      order by b.key
      limit ${SWEEP_BATCH_SIZE}
      for update skip locked`.execute(db)
    // Checks again: a reference that was added before the lock is only visible to a later statement.
    const { rows } = await sql<{ key: string }>`
      delete from stored_blobs as b
      where b.key = any(${locked.map(({ key }) => key)}::text[]) and ${isUnused}
      returning b.key`.execute(db)
    for (const { key } of rows) await blobsOf(server).remove(key)
    return rows.length
  })
