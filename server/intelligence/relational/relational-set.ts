import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { and, resourceOf, visible } from '../../engine/select.ts'
import type { Hop, RelationalQuery } from './relational-query.ts'
import { mayReach, relationshipSteps, sharers } from './steps.ts'

/** A condition on the row `t` of an entity. */
type Test<T> = (value: T) => RawBuilder<SqlBool>

interface Table {
  readonly name: string
  readonly rows: RawBuilder<unknown>
}

/**
 * The entities that a relational query reaches, as `select id`, each once. Paths only lead through entities that the caller sees.
 * `where` compiles the search language, and `isIn` replaces the test for membership in datasets if some of them are dynamic.
 */
export function relationalSet(
  ctx: Context,
  { start, hops, include }: RelationalQuery,
  where: Test<string>,
  isIn: Test<readonly (string | number)[]> = (datasets) => isInStaticDataset(ctx, datasets),
): RawBuilder<unknown> {
  const isSeen = visible(ctx, resourceOf(ctx, 'entities'))
  const isStart = and([
    isSeen,
    ...(start.entities ? [sql<SqlBool>`t.id = any(${start.entities}::uuid[])`] : []),
    ...(start.datasets ? [isIn(start.datasets)] : []),
    ...(start.query === undefined ? [] : [sql<SqlBool>`(${where(start.query)})`]),
  ])
  const first: Table = { name: 'start', rows: sql`select t.id from entities as t where ${isStart}` }
  const tables = [first]
  const reached: string[][] = []
  let from = first.name
  for (const [i, hop] of hops.entries()) {
    const times = repeat(ctx, `hop_${i + 1}`, from, hop, where)
    tables.push(...times)
    const names = times.map(({ name }) => name)
    reached.push(names)
    from = names[0] ?? from
    if (names.length === 1) continue
    // The next hop starts from the entities that any of the repetitions reached.
    from = `hop_${i + 1}`
    tables.push({ name: from, rows: unionOf(names) })
  }
  const included = {
    last: reached.at(-1) ?? [],
    reached: reached.flat(),
    all: [first.name, ...reached.flat()],
  }[include]
  const made = tables.map(({ name, rows }) => sql`${sql.table(name)} as materialized (${rows})`)
  return sql`with ${sql.join(made)} select id from (${unionOf(included)}) as found`
}

/** The repetitions of a hop, one table each. Entities that an earlier repetition reached are not followed again. */
function repeat(ctx: Context, name: string, from: string, hop: Hop, where: Test<string>): Table[] {
  const names = Array.from({ length: hop.depth }, (_, time) => `${name}_${time + 1}`)
  return names.map((own, time) => ({
    name: own,
    // Set operations are hashed, however wrong the planner's estimate of their size is.
    rows: sql.join([step(ctx, names[time - 1] ?? from, hop, where), ...names.slice(0, time).map(idsIn)], sql` except `),
  }))
}

/** The entities that one repetition of a hop leads to. */
function step(ctx: Context, from: string, hop: Hop, where: Test<string>): RawBuilder<unknown> {
  const ways = [
    ...(hop.via === 'observables' ? [] : relationshipSteps(ctx, from, hop)),
    ...(hop.via === 'relationships' ? [] : [sharers(from, hop.observable_types)]),
  ]
  // Deduplicates each way before the union: the planner cannot estimate a union and would choose a nested loop.
  const reached = sql.join(
    ways.map((way) => sql`select distinct far as id from (${way}) as w`),
    sql` union `,
  )
  const isFit = and([
    mayReach(ctx, hop.entity_types),
    ...(hop.query === undefined ? [] : [sql<SqlBool>`(${where(hop.query)})`]),
  ])
  return sql`select t.id from (${reached}) as s join entities as t on t.id = s.id where ${isFit}`
}

const isInStaticDataset = (ctx: Context, datasets: readonly (string | number)[]): RawBuilder<SqlBool> => sql`t.id in (
  select l.target
  from dataset_entities as l join datasets as d on d.id = l.source
  where d.id = any(${datasets}::integer[]) and ${visible(ctx, resourceOf(ctx, 'datasets'), 'd')})`

const idsIn = (name: string): RawBuilder<unknown> => sql`select id from ${sql.table(name)}`

const unionOf = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map(idsIn), sql` union `)
