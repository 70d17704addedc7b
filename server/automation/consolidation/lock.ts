import { type Kysely, sql } from 'kysely'

/** The key of an advisory lock. Any number that no other lock uses will do. */
const CONSOLIDATION_LOCK = 4_027_180_316

/**
 * Until the transaction ends, no other changes what is consolidated with what. A transaction that locks entities as well takes this lock
 * first: otherwise two could wait for each other.
 */
export async function lockConsolidation(db: Kysely<unknown>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CONSOLIDATION_LOCK})`.execute(db)
}
