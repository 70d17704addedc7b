import { sql } from 'kysely'
import { uuidList } from '../../engine/binary.ts'
import type { Context } from '../../engine/resource.ts'
import { forgetLearned } from '../../search/learned.ts'
import { ALIAS_CODE, SEPARATOR, TEXT_CODES, VALUE_BYTES } from '../../search/lexemes.ts'

type Db = Context['db']

/** What this process remembers of a dictionary: words that it has, as of an epoch. */
export interface Memory {
  readonly db: Db
  readonly epoch: Promise<number>
  /** Tags that are in it. */
  readonly tags: Set<string>
}

/** How the words of text fields begin in a search vector. */
export const WORD_SIGNS: readonly string[] = [...Object.values(TEXT_CODES), ALIAS_CODE].map((code) => code + SEPARATOR)

const TAG_SIGN = `g${SEPARATOR}`

const current: { memory?: Memory } = {}

/** What is remembered of the dictionary of a database: nothing where it was another one before. */
export function memoryOf(db: Db): Memory {
  if (current.memory?.db === db) return current.memory
  return remember(db, readEpoch(db))
}

/** Whether what was learned may still be noted: the dictionary has forgotten nothing since, as far as this process knows. */
export const isCurrent = (memory: Memory): boolean => current.memory === memory

function remember(db: Db, epoch: Promise<number>): Memory {
  const memory = { db, epoch, tags: new Set<string>() }
  current.memory = memory
  forgetLearned()
  epoch.catch(() => {
    if (isCurrent(memory)) delete current.memory
  })
  return memory
}

async function readEpoch(db: Db): Promise<number> {
  const { rows } = await sql<{ epoch: number }>`select epoch from dictionary`.execute(db)
  return rows[0]?.epoch ?? 0
}

/**
 * Makes sure that the dictionary has all words of entities that were stored in this transaction, which holds the dictionary.
 * Words that were learned before, as of `memory`, are learned again where some were forgotten in between.
 */
export async function keepWords(ctx: Context, ids: readonly string[], epoch: number, memory?: Memory): Promise<void> {
  if (memory && (await memory.epoch) === epoch && isCurrent(memory)) return
  if (memory && isCurrent(memory)) remember(memory.db, Promise.resolve(epoch))
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
