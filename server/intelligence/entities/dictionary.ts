import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import { KnownWords } from '../../search/known-words.ts'
import { ALIAS_CODE, SEPARATOR, TEXT_CODES, VALUE_BYTES } from '../../search/lexemes.ts'

type Db = Context['db']

/** The words that this process knows to be in the dictionary of a database, as of an epoch. */
export interface KnownDictionary {
  readonly db: Db
  readonly epoch: Promise<number>
  readonly words: KnownWords
}

/** The prefixes of words from text fields in a search vector. */
export const WORD_SIGNS: readonly string[] = [...Object.values(TEXT_CODES), ALIAS_CODE].map((code) => code + SEPARATOR)

const TAG_SIGN = `g${SEPARATOR}`

const known = new WeakMap<Db, KnownDictionary>()

/** What this process knows about the dictionary of a database. */
export const dictionaryOf = (db: Db): KnownDictionary => known.get(db) ?? begin(db, readEpoch(db))

/** Whether words may still be added to it: as far as this process knows, none have been removed from the dictionary since. */
export const isCurrent = (dictionary: KnownDictionary): boolean => known.get(dictionary.db) === dictionary

function begin(db: Db, epoch: Promise<number>): KnownDictionary {
  const dictionary = { db, epoch, words: new KnownWords() }
  known.set(db, dictionary)
  epoch.catch(() => {
    if (isCurrent(dictionary)) known.delete(db)
  })
  return dictionary
}

async function readEpoch(db: Db): Promise<number> {
  const { rows } = await sql<{ epoch: number }>`select epoch from dictionary`.execute(db)
  return rows[0]?.epoch ?? 0
}

/**
 * Makes sure that the dictionary has all words of the entities that this transaction stored; the transaction locks the dictionary.
 * If words were removed from the dictionary since the write was prepared, all words are added again.
 */
export async function ensureWords(
  ctx: Context,
  ids: readonly string[],
  epoch: number,
  dictionary?: KnownDictionary,
): Promise<void> {
  if (dictionary && (await dictionary.epoch) === epoch && isCurrent(dictionary)) return
  if (dictionary && isCurrent(dictionary)) begin(dictionary.db, Promise.resolve(epoch))
  await sql`
    with stored as materialized (
      select t.tags, tsvector_to_array(t.search) as lexemes from entities as t where t.id = any(${uuidList(ids)}::uuid[])
    )
    insert into words (word)
    select substr(l.lexeme, 3) collate "C" as word
    from stored as s cross join unnest(s.lexemes) as l(lexeme)
    where left(l.lexeme, 2) = any(${WORD_SIGNS}::text[])
    union
    select ${TAG_SIGN} || folded(g.tag)
    from stored as s cross join unnest(s.tags) as g(tag)
    where octet_length(folded(g.tag)) <= ${VALUE_BYTES}
    order by 1
    on conflict do nothing`.execute(ctx.db)
}
