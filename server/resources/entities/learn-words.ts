import { type Kysely, sql } from 'kysely'
import { textList } from '../../engine/binary.ts'

const GENERATION = 200_000

// Words that are known to be in the dictionary: nearly all of a text. Two generations bound the memory.
let recent = new Set<string>()
let older = new Set<string>()

/** Whether a word is known to be in the dictionary. */
export const isLearned = (word: string): boolean => recent.has(word) || older.has(word)

/**
 * Adds words to the dictionary that wildcards and typing errors are looked up in. Each statement stands alone: a word that
 * nothing uses in the end does no harm, and nobody waits for a transaction to end.
 */
export async function learnWords(db: Kysely<unknown>, words: ReadonlySet<string>): Promise<void> {
  const sorted = [...words].sort()
  if (sorted.length === 0) return
  await sql`
    insert into words (word)
    select w.word from unnest(${textList(sorted)}::text[]) as w(word)
    on conflict do nothing`.execute(db)
  for (const word of sorted) remember(word)
}

function remember(word: string): void {
  if (recent.size >= GENERATION) {
    older = recent
    recent = new Set()
  }
  recent.add(word)
}
