import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { attempt } from './attempt.ts'
import type { Compiled } from './compile-owned.ts'
import type { Noun } from './problem-of.ts'

/** The time limit for all queries together, and for one of them. */
const TOGETHER_MS = 10_000
const ALONE_MS = 5000

/**
 * Compares objects with queries, in one statement. If it fails or takes too long, each query has its own, so that a query cannot affect
 * others. Queries that failed the last time always have their own.
 */
export async function compareAll<T>(
  ctx: Context,
  all: readonly Compiled[],
  noun: Noun,
  compare: (queries: readonly Compiled[]) => Promise<readonly T[]>,
): Promise<{ readonly found: readonly T[]; readonly problems: ReadonlyMap<number, string> }> {
  const problems = new Map<number, string>()
  const within = async (limit: number, queries: readonly Compiled[]): Promise<readonly T[]> => {
    if (queries.length === 0) return []
    await limitTime(ctx, sql`${String(limit)}`)
    return compare(queries)
  }
  const sound = all.filter(({ hadProblem }) => !hadProblem)
  const together = await attempt(ctx, () => within(TOGETHER_MS, sound), noun)
  const found = 'value' in together ? [...together.value] : []
  for (const query of 'value' in together ? all.filter(({ hadProblem }) => hadProblem) : all) {
    const alone = await attempt(ctx, () => within(ALONE_MS, [query]), noun)
    if ('value' in alone) found.push(...alone.value)
    else problems.set(query.id, alone.problem)
  }
  return { found, problems }
}

const limitTime = ({ db }: Context, limit: RawBuilder<unknown>): Promise<unknown> =>
  sql`select set_config('statement_timeout', ${limit}, true)`.execute(db)
