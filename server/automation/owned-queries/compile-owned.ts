import type { RawBuilder, SqlBool } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { asUsers } from '../../identity/access/as-user.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { entityFields } from '../../intelligence/entities/search-fields.ts'
import type { SearchFields } from '../../search/sql/compile.ts'
import { type Lookups, runLookups } from '../../search/sql/lookups.ts'
import { attempt } from './attempt.ts'
import { type Noun, problemOf } from './problem-of.ts'

/** Something with a query that is compared with what its owner sees. */
export interface Owned {
  readonly id: number
  readonly owner: number | null
  /** Why its last comparison failed. */
  readonly problem: string | null
}

/** The condition of a query, whose look-ups have not run yet. */
export interface StartedMatches {
  readonly lookups: readonly Lookups[]
  /** The condition on the row `t`, once the look-ups have run. */
  finish(): RawBuilder<SqlBool>
}

/** A query as a condition on the row `t`. */
export interface Compiled {
  readonly id: number
  readonly condition: RawBuilder<SqlBool>
  /** Whether its last comparison failed. */
  readonly hadProblem: boolean
}

/** How queries are compiled. */
export interface Compiling<T extends Owned> {
  readonly noun: Noun
  /** Why it cannot be compared with objects for its owner. */
  lackOf(owned: T, owner: Seeing | undefined): string | undefined
  /** Starts compiling with the sight of the owner, who is the caller. `fields` are those of entities, whose custom names are read once. */
  start(ctx: Context, owned: T, fields: SearchFields): Promise<StartedMatches>
}

/** What was compiled, who owns it, and why others could not be compiled. */
export interface CompiledAll {
  readonly compiled: readonly Compiled[]
  readonly problems: ReadonlyMap<number, string>
  readonly owners: ReadonlyMap<number, Seeing>
}

type Started<T> = StartedMatches & { readonly owned: T }

/**
 * Compiles queries, each with the sight of its owner. Owners are read in one statement, and the look-ups of all queries are shared, so that
 * the number of statements does not depend on the number of queries.
 */
export async function compileOwned<T extends Owned>(
  ctx: Context,
  all: readonly T[],
  compiling: Compiling<T>,
): Promise<CompiledAll> {
  const { noun } = compiling
  const problems = new Map<number, string>()
  const owners = await asUsers(ctx, [...new Set(all.flatMap(({ owner }) => owner ?? []))])
  const started = await startAll(ctx, all, owners, compiling, problems)
  const compiled: Compiled[] = []
  for (const { owned, finish } of await lookUpAll(ctx, started, noun, problems)) {
    try {
      compiled.push({ id: owned.id, condition: finish(), hadProblem: owned.problem !== null })
    } catch (error) {
      note(problems, owned, error, noun)
    }
  }
  return { compiled, problems, owners }
}

async function startAll<T extends Owned>(
  ctx: Context,
  all: readonly T[],
  owners: ReadonlyMap<number, Seeing>,
  { noun, lackOf, start }: Compiling<T>,
  problems: Map<number, string>,
): Promise<Started<T>[]> {
  const fields = readOnce(entityFields)
  const started: Started<T>[] = []
  for (const owned of all) {
    const owner = owners.get(owned.owner ?? 0)
    const lack = lackOf(owned, owner)
    if (lack !== undefined || !owner) {
      problems.set(owned.id, lack ?? '')
      continue
    }
    try {
      started.push({ owned, ...(await start({ ...ctx, caller: owner }, owned, fields)) })
    } catch (error) {
      note(problems, owned, error, noun)
    }
  }
  return started
}

/** Runs the look-ups of all queries together. If one of them fails, each query runs its own. */
async function lookUpAll<T extends Owned>(
  ctx: Context,
  started: readonly Started<T>[],
  noun: Noun,
  problems: Map<number, string>,
): Promise<readonly Started<T>[]> {
  const all = started.flatMap(({ lookups }) => lookups)
  const together = await attempt(ctx, () => runLookups(ctx, all), noun)
  if ('value' in together) return started
  const sound: Started<T>[] = []
  for (const each of started) {
    const alone = await attempt(ctx, () => runLookups(ctx, each.lookups), noun)
    if ('value' in alone) sound.push(each)
    else problems.set(each.owned.id, alone.problem)
  }
  return sound
}

/** Reads the names of custom attributes once for all queries. */
function readOnce(fields: SearchFields): SearchFields {
  const { ownNames } = fields
  if (!ownNames) return fields
  let names: Promise<readonly string[]> | undefined
  return {
    ...fields,
    ownNames: (ctx) => {
      names ??= ownNames(ctx)
      return names
    },
  }
}

function note(problems: Map<number, string>, { id }: Owned, error: unknown, noun: Noun): void {
  const problem = problemOf(error, noun)
  if (problem === undefined) throw error
  problems.set(id, problem)
}
