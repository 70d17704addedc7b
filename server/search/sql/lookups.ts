import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readNodes } from '../../attack/classification/nodes.ts'
import { type Naming, successorsNamed } from '../../attack/classification/successors-named.ts'
import type { Context } from '../../engine/context.ts'
import { isTimeout, tooBroad } from '../../engine/errors.ts'
import { resourceOf, visible } from '../../engine/select.ts'

/** A pattern that matches more words is compared with the entities themselves. */
const MAX_WORDS_PER_PATTERN = 1024
/** The same applies once all words together are longer than this, in characters. */
const MAX_WORDS_LENGTH = 100_000
/** The maximum number of patterns in a query. */
const MAX_PATTERNS = 50
/** The maximum number of phrases with a distance, which are checked in every text that has their words. */
const MAX_NEAR_PHRASES = 20
/** An observable in more entities is joined when the query runs. */
const MAX_ENTITIES_PER_OBSERVABLE = 5000
/** The time limit for looking up words in the dictionary. */
const LOOKUP_TIMEOUT_MS = 1500
/** The code of PostgreSQL for an invalid regular expression. */
const INVALID_EXPRESSION = '2201B'

interface WordLookup {
  /** The condition on the word `w.word`. */
  readonly matching: RawBuilder<SqlBool>
  readonly test: (word: string) => boolean
  /** The same condition on the row `t` of an entity. */
  readonly onRow: RawBuilder<SqlBool>
  /** Null if there are too many. */
  found: readonly string[] | null
}

interface ObservableLookup {
  readonly text: string
  /** Null if there are too many. */
  found: readonly string[] | null
}

interface AttackLookup {
  readonly naming: Naming
  /** Null if they were not looked up. */
  found: readonly string[] | null
}

/**
 * Collects what has to be looked up before a query can be compiled: the words that patterns match, the entities that have an observable, and
 * the attack nodes that took the place of others. The number of statements is constant. They ignore what the caller can see, so that their results may only decide how a
 * condition is written, never what is found or refused.
 */
export function openLookups() {
  const words: WordLookup[] = []
  const observables: ObservableLookup[] = []
  const attacks: AttackLookup[] = []
  let nearby = 0

  return {
    /** Counts phrases with a distance, which are expensive without being looked up. */
    near(): void {
      nearby++
      if (nearby > MAX_NEAR_PHRASES)
        throw tooBroad(`a query can have at most ${MAX_NEAR_PHRASES} phrases with a distance.`)
    },

    /** Requests the words that match. The returned function gives them after `run`, or null if there are too many. */
    words(asked: Omit<WordLookup, 'found'>): () => readonly string[] | null {
      if (words.length === MAX_PATTERNS) throw tooBroad(`a query can have at most ${MAX_PATTERNS} patterns.`)
      const lookup: WordLookup = { ...asked, found: [] }
      words.push(lookup)
      return () => lookup.found
    },

    /** Requests the ids of the entities that have an observable with this folded value. Null if there are too many. */
    observable(text: string): () => readonly string[] | null {
      const known = observables.find((lookup) => lookup.text === text)
      const lookup: ObservableLookup = known ?? { text, found: [] }
      if (!known) observables.push(lookup)
      return () => lookup.found
    },

    /** Requests the live attack nodes that took the place of dead ones which a query names. Null if they were not looked up. */
    attacks(naming: Naming): () => readonly string[] | null {
      const lookup: AttackLookup = { naming, found: [] }
      attacks.push(lookup)
      return () => lookup.found
    },

    /** What was requested, for `runLookups`. */
    requested: { words, observables, attacks } as Requested,
  }
}

interface Requested {
  readonly words: readonly WordLookup[]
  readonly observables: readonly ObservableLookup[]
  readonly attacks: readonly AttackLookup[]
}

/** The look-ups of one query. */
export type Lookups = ReturnType<typeof openLookups>

/** Runs the look-ups of queries. The number of statements does not depend on the number of queries. */
export async function runLookups(ctx: Context, all: readonly Lookups[]): Promise<void> {
  const words = all.flatMap(({ requested }) => requested.words)
  const observables = all.flatMap(({ requested }) => requested.observables)
  if (observables.length > 0) await findObservables(ctx, observables)
  if (words.length > 0) await findWords(ctx, words)
  const attacks = all.flatMap(({ requested }) => requested.attacks)
  if (attacks.length > 0) {
    const nodes = await readNodes(ctx)
    for (const lookup of attacks) lookup.found = successorsNamed(nodes, lookup.naming)
  }
}

/** Looks up nothing, for rows that are not stored yet: patterns and observables are then compared with the rows themselves. */
export function skipLookups({ requested }: Lookups): void {
  for (const lookup of [...requested.words, ...requested.observables, ...requested.attacks]) lookup.found = null
}

async function findWords(ctx: Context, lookups: readonly WordLookup[]): Promise<void> {
  const asked = lookups.map(
    ({ matching }, n) =>
      sql`(select ${n}::integer as n, array_agg(w.word) as words
        from (select w.word from words as w where ${matching} limit ${MAX_WORDS_PER_PATTERN + 1}) as w)`,
  )
  const rows = await withTimeout(ctx, async (db) => {
    const { rows } = await sql<{ n: number; words: string[] | null }>`${sql.join(asked, sql` union all `)}`.execute(db)
    return rows
  })
  if (rows === null) await tryOnRows(ctx, lookups)
  let length = 0
  for (const [n, lookup] of lookups.entries()) {
    const words = rows ? (rows.find((row) => row.n === n)?.words ?? []) : null
    const isFew = words !== null && words.length <= MAX_WORDS_PER_PATTERN
    length += isFew ? words.reduce((sum, word) => sum + word.length, 0) : 0
    lookup.found = isFew && length <= MAX_WORDS_LENGTH ? words.filter(lookup.test) : null
  }
}

/** Refuses patterns that are also too slow on the visible entities. In the dictionary, words of others may have caused the timeout. */
async function tryOnRows(ctx: Context, lookups: readonly WordLookup[]): Promise<void> {
  const isSeen = visible(ctx, resourceOf(ctx, 'entities'))
  const onRow = sql.join(
    lookups.map((lookup) => lookup.onRow),
    sql` or `,
  )
  const tried = await withTimeout(ctx, (db) =>
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
        limit ${MAX_ENTITIES_PER_OBSERVABLE + 1}
      ) as found
    ) as ids
    from unnest(${lookups.map(({ text }) => text)}::text[]) with ordinality as w(text, n)`.execute(ctx.db)
  for (const { n, ids } of rows) {
    const lookup = lookups[n - 1]
    if (lookup) lookup.found = (ids?.length ?? 0) > MAX_ENTITIES_PER_OBSERVABLE ? null : (ids ?? [])
  }
}

/** Runs statements with a short timeout. Returns null if they time out. */
async function withTimeout<T>({ db }: Context, ask: (db: Context['db']) => Promise<T>): Promise<T | null> {
  try {
    if (db.isTransaction) return await inTurn(db, () => inSavepoint(db, () => withStatementTimeout(db, ask)))
    return await db.transaction().execute((own) => withStatementTimeout(own, ask))
  } catch (error) {
    if (isTimeout(error)) return null
    if ((error as { code?: string }).code === INVALID_EXPRESSION) throw tooBroad('a regular expression is too complex.')
    throw error
  }
}

const turns = new WeakMap<object, Promise<unknown>>()

/** Runs look-ups of a transaction one at a time, because each sets the statement timeout and restores it. */
function inTurn<T>(db: Context['db'], run: () => Promise<T>): Promise<T> {
  const turn = (turns.get(db) ?? Promise.resolve()).then(run, run)
  turns.set(
    db,
    turn.catch(() => {}),
  )
  return turn
}

/** Runs statements such that the transaction can continue if they fail. */
async function inSavepoint<T>(db: Context['db'], run: () => Promise<T>): Promise<T> {
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

async function withStatementTimeout<T>(db: Context['db'], ask: (db: Context['db']) => Promise<T>): Promise<T> {
  const { rows } = await sql<{ before: string }>`
    select current_setting('statement_timeout') as before, set_config('statement_timeout', ${String(LOOKUP_TIMEOUT_MS)}, true)
  `.execute(db)
  const result = await ask(db)
  await sql`select set_config('statement_timeout', ${rows[0]?.before ?? '0'}, true)`.execute(db)
  return result
}
