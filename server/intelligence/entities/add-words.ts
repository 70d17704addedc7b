import { type Kysely, sql } from 'kysely'
import { textList } from '../../fast/binary-arrays.ts'

/**
 * Adds words to the dictionary, in which wildcards and misspelled words are looked up. Each statement commits on its own, so that
 * no write waits for another one's transaction; a word that ends up unused is removed later. Callers leave out the words that the
 * dictionary is known to have, which are nearly all.
 */
export async function addWords(db: Kysely<unknown>, words: ReadonlySet<string>): Promise<void> {
  if (words.size === 0) return
  await sql`
    insert into words (word)
    select w.word from unnest(${textList([...words].sort())}::text[]) as w(word)
    on conflict do nothing`.execute(db)
}

/** Adds words in the transaction that stores them, and keeps them in the dictionary until it ends. */
export async function addAndHoldWords(db: Kysely<unknown>, words: ReadonlySet<string>): Promise<void> {
  if (words.size === 0) return
  await sql`
    with held as materialized (select hold_dictionary())
    insert into words (word)
    select w.word from held cross join unnest(${textList([...words].sort())}::text[]) as w(word)
    on conflict do nothing`.execute(db)
}
