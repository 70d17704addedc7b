import { type Kysely, sql } from 'kysely'
import { textList } from '../../engine/binary.ts'

/**
 * Adds words to the dictionary that wildcards and typing errors are looked up in. Each statement stands alone: a word that
 * nothing uses in the end is forgotten again, and nobody waits for a transaction to end. Nearly all words of a text are in it
 * already, and those are not even given here.
 */
export async function learnWords(db: Kysely<unknown>, words: ReadonlySet<string>): Promise<void> {
  if (words.size === 0) return
  await sql`
    insert into words (word)
    select w.word from unnest(${textList([...words].sort())}::text[]) as w(word)
    on conflict do nothing`.execute(db)
}

/** Adds words within the transaction that stores them, and keeps them from being forgotten until it ends. */
export async function holdWords(db: Kysely<unknown>, words: ReadonlySet<string>): Promise<void> {
  if (words.size === 0) return
  await sql`
    with held as materialized (select hold_dictionary())
    insert into words (word)
    select w.word from held cross join unnest(${textList([...words].sort())}::text[]) as w(word)
    on conflict do nothing`.execute(db)
}
