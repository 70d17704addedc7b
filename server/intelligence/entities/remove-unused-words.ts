import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { SEPARATOR } from '../../search/lexemes.ts'
import { WORD_SIGNS } from './dictionary.ts'

/** The number of words checked per statement and removed per transaction. */
const BATCH = 1000
/** New writers wait at most this long behind the attempt to lock the dictionary. */
const PATIENCE_MS = 300
/** The pauses between attempts while writers keep the dictionary locked. */
const PAUSES_MS = [100, 500, 2000, 5000]
/** PostgreSQL's error code for a lock timeout. */
const LOCKED = '55P03'

/** The result of removing unused words. */
interface Removed {
  readonly removed: number
  /** Words left for the next run, because writers kept the dictionary locked. */
  readonly left: number
}

/** Removes the words that no entity uses from the dictionary. */
export async function removeUnusedWords(db: Kysely<unknown>, signal: AbortSignal): Promise<Removed> {
  // Otherwise every look-up would read the whole pending list of the index.
  await sql`select gin_clean_pending_list('entities_search'::regclass)`.execute(db)
  const total = { removed: 0, left: 0 }
  for (let after: string | null = ''; after !== null; ) {
    signal.throwIfAborted()
    const { words, last } = await findUnused(db, after)
    const removed = words.length === 0 ? 0 : await removeWithRetries(db, words, signal)
    total.removed += removed ?? 0
    total.left += removed === null ? words.length : 0
    after = last
  }
  return total
}

/** Finds words after a given one that seem unused, and where to continue. The search for frequent words is cut short. */
async function findUnused(db: Kysely<unknown>, after: string): Promise<{ words: string[]; last: string | null }> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('gin_fuzzy_search_limit', '1000', true)`.execute(
      trx,
    )
    const { rows } = await sql<{ words: string[] | null; last: string | null }>`
      select array_agg(w.word) filter (where not ${isUsed}) as words,
        case when count(*) = ${BATCH} then max(w.word) end as last
      from (select w.word from words as w where w.word > ${after} order by w.word limit ${BATCH}) as w`.execute(trx)
    return { words: rows[0]?.words ?? [], last: rows[0]?.last ?? null }
  })
}

/** Returns the number of words removed, or null if writers never released the dictionary. */
async function removeWithRetries(db: Kysely<unknown>, words: readonly string[], signal: AbortSignal) {
  for (const pause of PAUSES_MS) {
    try {
      return await removeWords(db, words)
    } catch (error) {
      if ((error as { code?: string }).code !== LOCKED) throw error
      await sleep(pause, undefined, { signal })
    }
  }
  return null
}

/**
 * Removes words while no transaction stores any: a transaction that does locks the dictionary until it ends. A write that was
 * prepared before the removal and stores its words later finds a new epoch, and adds them again.
 */
async function removeWords(db: Kysely<unknown>, words: readonly string[]): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('lock_timeout', ${String(PATIENCE_MS)}, true)`.execute(trx)
    await sql`select pg_advisory_xact_lock(hashtext('dictionary'), 0)`.execute(trx)
    await sql`select set_config('lock_timeout', '0', true), set_config('enable_seqscan', 'off', true)`.execute(trx)
    const { rows } = await sql<{ count: number }>`
      with gone as (
        delete from words as w
        where w.word = any(${words}::text[]) and not ${isUsed}
        returning w.word
      ), turned as (
        update dictionary set epoch = epoch + 1 where exists (select from gone)
      )
      select count(*) from gone`.execute(trx)
    return rows[0]?.count ?? 0
  })
}

/** Whether an entity uses the word `w.word`; the dictionary stores a tag as its lexeme. */
const isUsed = sql`exists (
  select from entities as e
  where e.search @@ (
    select string_agg('''' || s.sign || replace(replace(w.word, '\\', '\\\\'), '''', '''''') || '''', '|')
    from unnest(case when position(${SEPARATOR} in w.word) > 0 then array[''] else ${WORD_SIGNS}::text[] end) as s(sign)
  )::tsquery)`
