import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isTimeout, tooBroad } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'

/** How many words a pattern may stand for. */
const EXPANSIONS = 1024
/** How many patterns a query may have. */
const PATTERNS = 50
/** How many times a query may ask for words that stand near each other, which are looked at in every text that has them. */
const NEARBY = 20
/** An observable in more entities than these is joined when the query runs. */
const KNOWN_ENTITIES = 5000
/** No pattern is worth a longer look into the dictionary. */
const PATIENCE_MS = 1500

interface WordLookup {
  /** On the word `w.word`. */
  readonly matching: RawBuilder<SqlBool>
  readonly test: (word: string) => boolean
  found: readonly string[]
}

interface ObservableLookup {
  readonly text: string
  /** Null where there are too many to name. */
  found: readonly string[] | null
}

/**
 * What a query has to ask the database before its condition can be written down: which words a pattern stands for, and which
 * entities have an observable. All of it is asked in two statements, whatever the query.
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

    /** The words that match; to be called when the look-ups have been made. */
    words(matching: RawBuilder<SqlBool>, test: (word: string) => boolean = () => true): () => readonly string[] {
      if (words.length === PATTERNS) throw tooBroad(`a query may have ${PATTERNS} patterns at most.`)
      const lookup: WordLookup = { matching, test, found: [] }
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
  const { rows } = await bounded(ctx, (inside) =>
    sql<{ n: number; words: string[] | null }>`${sql.join(asked, sql` union all `)}`.execute(inside.db),
  )
  for (const { n, words } of rows) {
    const lookup = lookups[n]
    if (!lookup) continue
    if ((words?.length ?? 0) > EXPANSIONS) throw tooBroad(`a pattern stands for more than ${EXPANSIONS} words.`)
    lookup.found = (words ?? []).filter(lookup.test)
  }
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

/** Runs statements that may turn out to be endless, and gives up on them soon. */
async function bounded<T>(ctx: Context, run: (ctx: Context) => Promise<T>): Promise<T> {
  try {
    if (ctx.db.isTransaction) return await inTurn(ctx, () => hurried(ctx, run))
    return await ctx.db.transaction().execute((db) => hurried({ ...ctx, db }, run))
  } catch (error) {
    if (isTimeout(error)) throw tooBroad('a pattern takes too long to look up.', error)
    const { code = '' } = error as { code?: string }
    // A regular expression that PostgreSQL does not take after all.
    if (code === '2201B') throw tooBroad('a regular expression is too complex.')
    throw error
  }
}

const turns = new WeakMap<object, Promise<unknown>>()

/** One after the other within a transaction: each sets its patience and takes it back. */
function inTurn<T>({ db }: Context, run: () => Promise<T>): Promise<T> {
  const turn = (turns.get(db) ?? Promise.resolve()).then(run, run)
  turns.set(
    db,
    turn.catch(() => {}),
  )
  return turn
}

async function hurried<T>(ctx: Context, run: (ctx: Context) => Promise<T>): Promise<T> {
  const { rows } = await sql<{ before: string }>`
    select current_setting('statement_timeout') as before, set_config('statement_timeout', ${String(PATIENCE_MS)}, true)
  `.execute(ctx.db)
  const result = await run(ctx)
  await sql`select set_config('statement_timeout', ${rows[0]?.before ?? '0'}, true)`.execute(ctx.db)
  return result
}
