import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { SEPARATOR } from '../../search/lexemes.ts'
import { WORD_SIGNS } from './dictionary.ts'

/** How many words are looked at in one statement, and forgotten in one transaction. */
const BATCH = 1000
/** Writers that come meanwhile wait as long as this for those that are under way. */
const PATIENCE_MS = 300
/** How long to wait before trying again where writers were under way all the time. */
const PAUSES_MS = [100, 500, 2000, 5000]
/** What PostgreSQL says when a lock was not given in time. */
const LOCKED = '55P03'

/** What came of forgetting. */
interface Forgotten {
  readonly forgotten: number
  /** Words that stay for the next time, because entities were written all the time. */
  readonly left: number
}

/** Takes words out of the dictionary that no entity holds. */
export async function forgetWords(db: Kysely<unknown>, signal: AbortSignal): Promise<Forgotten> {
  // What the index has not sorted in yet is read from end to end with every word.
  await sql`select gin_clean_pending_list('entities_search'::regclass)`.execute(db)
  const total = { forgotten: 0, left: 0 }
  for (let after: string | null = ''; after !== null; ) {
    signal.throwIfAborted()
    const { words, last } = await findUnheld(db, after)
    const forgotten = words.length === 0 ? 0 : await forgetPatiently(db, words, signal)
    total.forgotten += forgotten ?? 0
    total.left += forgotten === null ? words.length : 0
    after = last
  }
  return total
}

/** Words after another that nothing seems to hold, and where to go on; frequent ones are not looked for to the end. */
async function findUnheld(db: Kysely<unknown>, after: string): Promise<{ words: string[]; last: string | null }> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('gin_fuzzy_search_limit', '1000', true)`.execute(
      trx,
    )
    const { rows } = await sql<{ words: string[] | null; last: string | null }>`
      select array_agg(w.word) filter (where not ${isHeld}) as words,
        case when count(*) = ${BATCH} then max(w.word) end as last
      from (select w.word from words as w where w.word > ${after} order by w.word limit ${BATCH}) as w`.execute(trx)
    return { words: rows[0]?.words ?? [], last: rows[0]?.last ?? null }
  })
}

/** How many of the words were forgotten; null where writers did not leave a moment for it. */
async function forgetPatiently(db: Kysely<unknown>, words: readonly string[], signal: AbortSignal) {
  for (const pause of PAUSES_MS) {
    try {
      return await forget(db, words)
    } catch (error) {
      if ((error as { code?: string }).code !== LOCKED) throw error
      await sleep(pause, undefined, { signal })
    }
  }
  return null
}

/**
 * Forgets words while nobody stores any: whoever does holds the dictionary from then on until the end of their transaction. Those
 * who learned words earlier and store them later find another epoch, and learn them again.
 */
async function forget(db: Kysely<unknown>, words: readonly string[]): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('lock_timeout', ${String(PATIENCE_MS)}, true)`.execute(trx)
    await sql`select pg_advisory_xact_lock(hashtext('dictionary'), 0)`.execute(trx)
    await sql`select set_config('lock_timeout', '0', true), set_config('enable_seqscan', 'off', true)`.execute(trx)
    const { rows } = await sql<{ count: number }>`
      with gone as (
        delete from words as w
        where w.word = any(${words}::text[]) and not ${isHeld}
        returning w.word
      ), turned as (
        update dictionary set epoch = epoch + 1 where exists (select from gone)
      )
      select count(*) from gone`.execute(trx)
    return rows[0]?.count ?? 0
  })
}

/** Whether an entity holds the word `w.word`; a tag stands in the dictionary as its lexeme. */
const isHeld = sql`exists (
  select from entities as e
  where e.search @@ (
    select string_agg('''' || s.sign || replace(replace(w.word, '\\', '\\\\'), '''', '''''') || '''', '|')
    from unnest(case when position(${SEPARATOR} in w.word) > 0 then array[''] else ${WORD_SIGNS}::text[] end) as s(sign)
  )::tsquery)`
