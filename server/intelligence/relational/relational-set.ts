import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { and, resourceOf, visible } from '../../engine/select.ts'
import { type Consolidation, memberships } from '../entities/unified.ts'
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
  { start, hops, include, consolidation = 'all' }: RelationalQuery,
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
    const names = timesOf(`hop_${i + 1}`, hop)
    tables.push(...repeat({ ctx, consolidation, where }, names, from, hop))
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
  return sql`with ${sql.join(made)} ${shown(ctx, unionOf(included), consolidation)}`
}

/** The names of the tables of a hop, one for each repetition. */
const timesOf = (name: string, { depth }: Hop): string[] =>
  Array.from({ length: depth }, (_, time) => `${name}_${time + 1}`)

/** The result of the query. */
function shown(ctx: Context, found: RawBuilder<unknown>, consolidation: Consolidation): RawBuilder<unknown> {
  if (consolidation === 'all') return sql`select id from (${found}) as found`
  return consolidation === 'unified'
    ? sql`
      select coalesce(m.unified, f.id) as id
      from (${found}) as f left join ${memberships(ctx)} as m on m.entity = f.id`
    : sql`select t.id from (${found}) as f join entities as t on t.id = f.id where not t.is_unified`
}

/** What all steps of a query have in common. */
interface Walk {
  readonly ctx: Context
  readonly consolidation: Consolidation
  readonly where: Test<string>
}

/** The repetitions of a hop. Entities that an earlier repetition reached are not followed again. */
const repeat = (walk: Walk, names: readonly string[], from: string, hop: Hop): Table[] =>
  names.flatMap((name, time) => {
    const near = `${name}_from`
    const known = names.slice(0, time)
    return [
      { name: near, rows: wholeOf(walk, known.at(-1) ?? from) },
      // Set operations are hashed, however wrong the planner's estimate of their size is.
      { name, rows: sql.join([sql`(${step(walk, near, hop)})`, ...known.map(idsIn)], sql` except `) },
    ]
  })

/**
 * The entities of a table with the contributors of its unified entities, which have the relationships. Where contributors are shown
 * as their unified entity, they stand for it and for all that contribute to it.
 */
function wholeOf({ ctx, consolidation }: Pick<Walk, 'ctx' | 'consolidation'>, table: string): RawBuilder<unknown> {
  const standingFor = sql`
    union select m.unified from ${sql.table(table)} as f join ${memberships(ctx)} as m on m.entity = f.id`
  const found = consolidation === 'unified' ? sql`(${idsIn(table)} ${standingFor})` : sql`${idsIn(table)}`
  return sql`
    with found as materialized (${found})
    select id from found union select m.entity from found as f join ${memberships(ctx)} as m on m.unified = f.id`
}

/** The entities that one repetition of a hop leads to. */
function step({ ctx, consolidation, where }: Walk, from: string, hop: Hop): RawBuilder<unknown> {
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
  return sql`
    with reached as materialized (${reached})
    select t.id from (${wholeOf({ ctx, consolidation }, 'reached')}) as s join entities as t on t.id = s.id where ${isFit}`
}

const isInStaticDataset = (ctx: Context, datasets: readonly (string | number)[]): RawBuilder<SqlBool> => sql`t.id in (
  select l.target
  from dataset_entities as l join datasets as d on d.id = l.source
  where d.id = any(${datasets}::integer[]) and ${visible(ctx, resourceOf(ctx, 'datasets'), 'd')})`

const idsIn = (name: string): RawBuilder<unknown> => sql`select id from ${sql.table(name)}`

const unionOf = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map(idsIn), sql` union `)
