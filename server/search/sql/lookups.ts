import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isTimeout, tooBroad } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'

/** A pattern that stands for more words is looked for in the entities themselves. */
const EXPANSIONS = 1024
/** And so are those that would make the question to the index longer than this, in characters. */
const EXPANDED_LENGTH = 100_000
/** How many patterns a query may have. */
const PATTERNS = 50
/** How many times a query may ask for words that stand near each other, which are looked at in every text that has them. */
const NEARBY = 20
/** An observable in more entities than these is joined when the query runs. */
const KNOWN_ENTITIES = 5000
/** No pattern is worth a longer look into the dictionary. */
const PATIENCE_MS = 1500
/** What PostgreSQL says of a regular expression that it does not take after all. */
const BAD_EXPRESSION = '2201B'

interface WordLookup {
  /** On the word `w.word`. */
  readonly matching: RawBuilder<SqlBool>
  readonly test: (word: string) => boolean
  /** The same on the row `t` of an entity. */
  readonly onRow: RawBuilder<SqlBool>
  /** Null where there are too many to name. */
  found: readonly string[] | null
}

interface ObservableLookup {
  readonly text: string
  /** Null where there are too many to name. */
  found: readonly string[] | null
}

/**
 * What a query has to ask the database before its condition can be written down: which words a pattern stands for, and which
 * entities have an observable. All of it is asked in two statements, whatever the query. Both are about everything there is,
 * not about what the caller sees: they may decide how a condition is written, never what is found or refused.
 */
export function openLookups() {
  const words: WordLookup[] = []
  const observables: ObservableLookup[] = []
  let nearby = 0

  return {
    /** Counts what is not looked up but takes long all the same. */
    near(): void {
      nearby++
      if (nearby > NEARBY) throw tooBroad(`a query may have ${NEARBY} phrases with a distance at most.`)
    },

    /** The words that match, to be called when the look-ups have been made; null where they are too many. */
    words(asked: Omit<WordLookup, 'found'>): () => readonly string[] | null {
      if (words.length === PATTERNS) throw tooBroad(`a query may have ${PATTERNS} patterns at most.`)
      const lookup: WordLookup = { ...asked, found: [] }
      words.push(lookup)
      return () => lookup.found
    },

    /** The ids of the entities that have an observable with this value, in lower case; null where they are too many. */
    observable(text: string): () => readonly string[] | null {
      const known = observables.find((lookup) => lookup.text === text)
      const lookup: ObservableLookup = known ?? { text, found: [] }
      if (!known) observables.push(lookup)
      return () => lookup.found
    },

    /** Asks all that is to be asked. */
    async make(ctx: Context): Promise<void> {
      if (observables.length > 0) await findObservables(ctx, observables)
      if (words.length > 0) await findWords(ctx, words)
    },
  }
}

export type Lookups = ReturnType<typeof openLookups>

async function findWords(ctx: Context, lookups: readonly WordLookup[]): Promise<void> {
  const asked = lookups.map(
    ({ matching }, n) =>
      sql`(select ${n}::integer as n, array_agg(w.word) as words
        from (select w.word from words as w where ${matching} limit ${EXPANSIONS + 1}) as w)`,
  )
  const rows = await bounded(ctx, async (db) => {
    const { rows } = await sql<{ n: number; words: string[] | null }>`${sql.join(asked, sql` union all `)}`.execute(db)
    return rows
  })
  if (rows === null) await tryOnRows(ctx, lookups)
  let length = 0
  for (const [n, lookup] of lookups.entries()) {
    const words = rows ? (rows.find((row) => row.n === n)?.words ?? []) : null
    const isFew = words !== null && words.length <= EXPANSIONS
    length += isFew ? words.reduce((sum, word) => sum + word.length, 0) : 0
    lookup.found = isFew && length <= EXPANDED_LENGTH ? words.filter(lookup.test) : null
  }
}

/** Refuses patterns that take too long on what the caller sees: in the dictionary, the words of others may have been to blame. */
async function tryOnRows(ctx: Context, lookups: readonly WordLookup[]): Promise<void> {
  const isSeen = visible(ctx, resourceOf(ctx, 'entities'))
  const onRow = sql.join(
    lookups.map((lookup) => lookup.onRow),
    sql` or `,
  )
  const tried = await bounded(ctx, (db) =>
    sql`select count(*) from entities as t where ${isSeen} and (${onRow})`.execute(db),
  )
  if (tried === null) throw tooBroad('a pattern takes too long to look up.')
}

async function findObservables(ctx: Context, lookups: readonly ObservableLookup[]): Promise<void> {
  const { rows } = await sql<{ n: number; ids: string[] | null }>`
    select w.n::integer as n, (
      select array_agg(found.source)
      from (
        select l.source
        from observables as o join entity_observables as l on l.target = o.id
        where observable_key(folded(o.value)) collate "C" = observable_key(folded(w.text))
        limit ${KNOWN_ENTITIES + 1}
      ) as found
    ) as ids
    from unnest(${lookups.map(({ text }) => text)}::text[]) with ordinality as w(text, n)`.execute(ctx.db)
  for (const { n, ids } of rows) {
    const lookup = lookups[n - 1]
    if (lookup) lookup.found = (ids?.length ?? 0) > KNOWN_ENTITIES ? null : (ids ?? [])
  }
}

/** Asks something that may take very long, and gives up on it soon: null then. */
async function bounded<T>({ db }: Context, ask: (db: Context['db']) => Promise<T>): Promise<T | null> {
  try {
    if (db.isTransaction) return await inTurn(db, () => apart(db, () => hurried(db, ask)))
    return await db.transaction().execute((own) => hurried(own, ask))
  } catch (error) {
    if (isTimeout(error)) return null
    if ((error as { code?: string }).code === BAD_EXPRESSION) throw tooBroad('a regular expression is too complex.')
    throw error
  }
}

const turns = new WeakMap<object, Promise<unknown>>()

/** One after the other within a transaction: each sets its patience and takes it back. */
function inTurn<T>(db: Context['db'], run: () => Promise<T>): Promise<T> {
  const turn = (turns.get(db) ?? Promise.resolve()).then(run, run)
  turns.set(
    db,
    turn.catch(() => {}),
  )
  return turn
}

/** Within a transaction that goes on when this fails. */
async function apart<T>(db: Context['db'], run: () => Promise<T>): Promise<T> {
  await sql`savepoint look_up`.execute(db)
  try {
    return await run()
  } catch (error) {
    await sql`rollback to savepoint look_up`.execute(db)
    throw error
  } finally {
    await sql`release savepoint look_up`.execute(db)
  }
}

async function hurried<T>(db: Context['db'], ask: (db: Context['db']) => Promise<T>): Promise<T> {
  const { rows } = await sql<{ before: string }>`
    select current_setting('statement_timeout') as before, set_config('statement_timeout', ${String(PATIENCE_MS)}, true)
  `.execute(db)
  const result = await ask(db)
  await sql`select set_config('statement_timeout', ${rows[0]?.before ?? '0'}, true)`.execute(db)
  return result
}
