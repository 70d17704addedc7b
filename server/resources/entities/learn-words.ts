import { type Kysely, sql } from 'kysely'
import { textList } from '../../engine/binary.ts'
import { learnWord } from '../../search/terms.ts'

/**
 * Adds words to the dictionary that wildcards and typing errors are looked up in. Each statement stands alone: a word that
 * nothing uses in the end does no harm, and nobody waits for a transaction to end. Nearly all words of a text are in it
 * already, and those are not even given here.
 */
export async function learnWords(db: Kysely<unknown>, words: ReadonlySet<string>): Promise<void> {
  if (words.size === 0) return
  const sorted = [...words].sort()
  await sql`
    insert into words (word)
    select w.word from unnest(${textList(sorted)}::text[]) as w(word)
    on conflict do nothing`.execute(db)
  for (const word of sorted) learnWord(word)
}
