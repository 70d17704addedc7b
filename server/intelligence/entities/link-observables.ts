import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { retry } from '../../engine/errors.ts'
import { integerList, textList, uuidList } from '../../fast/binary-arrays.ts'
import { loggedByKey } from '../observables/logged.ts'
import type { NamedObservable, ObservableLink } from './observables-in.ts'

/** A request to link an observable to an entity. */
export interface Wanted {
  readonly entity: string
  readonly observable: ObservableLink
}

/** The distinct observables of a request, and their links. */
export interface ObservableLinks extends Distinct {
  readonly wanted: readonly Wanted[]
  readonly pairs: readonly Pair[]
}

/** Finds the distinct observables and links, in the order in which every request creates them. */
export function distinctLinks(wanted: readonly Wanted[]): ObservableLinks {
  const found = distinct(wanted)
  return { ...found, wanted, pairs: distinctPairs(wanted, found.positions) }
}

/**
 * Creates the observables that are new and links all of them. Returns their ids in the order of the request.
 * Observables come last in a transaction and in one order, so that two requests that create the same ones wait for each other
 * briefly and cannot deadlock.
 */
export async function linkObservables(ctx: Context, links: ObservableLinks): Promise<number[]> {
  return links.wanted.length === 0 ? [] : linkRemaining(ctx, links, await run(ctx, links))
}

/** Links observables that another request created while the first statement ran. Returns all ids in the order of the request. */
export async function linkRemaining(
  ctx: Context,
  links: ObservableLinks,
  ids: readonly (number | null)[],
): Promise<number[]> {
  const first = idsOf(links, ids)
  if (!first.includes(null)) return first as number[]
  const rest = distinctLinks(links.wanted.filter((_, i) => first[i] === null))
  // They exist by now.
  const later = await run(ctx, rest)
  const found = idsOf(rest, later).values()
  return first.map((id) => {
    const known = id ?? found.next().value ?? null
    if (known === null) throw retry('An observable vanished.')
    return known
  })
}

/** The ids in the order of the request, from the ids of the distinct observables. */
const idsOf = ({ wanted, positions }: ObservableLinks, ids: readonly (number | null)[]): (number | null)[] =>
  wanted.map(({ observable }, i) =>
    observable.id === undefined ? (ids[positions[i] ?? -1] ?? null) : Number(observable.id),
  )

interface Distinct {
  /** Sorted by their keys. */
  readonly observables: readonly NamedObservable[]
  /** For each requested link the index of its observable in the list above; -1 if it has an id. */
  readonly positions: readonly number[]
}

function distinct(wanted: readonly Wanted[]): Distinct {
  const byType = new Map<string, Map<string, number>>()
  const found: NamedObservable[] = []
  const first = wanted.map(({ observable }) => {
    if (observable.id !== undefined) return -1
    const { type, value } = observable
    const values = byType.get(type) ?? new Map<string, number>()
    if (values.size === 0) byType.set(type, values)
    const known = values.get(value)
    if (known === undefined) {
      values.set(value, found.length)
      return found.push(observable) - 1
    }
    return known
  })
  const order = found.map((_, i) => i).sort((a, b) => compare(found[a], found[b]))
  const places = new Int32Array(found.length)
  for (let place = 0; place < order.length; place++) places[order[place] as number] = place
  return {
    observables: order.flatMap((i) => found[i] ?? []),
    positions: first.map((i) => (i < 0 ? -1 : (places[i] ?? -1))),
  }
}

/** The order in which every request creates observables. */
function compare(a: NamedObservable | undefined, b: NamedObservable | undefined): number {
  if (!a || !b) return 0
  if (a.value !== b.value) return a.value < b.value ? -1 : 1
  return a.type < b.type ? -1 : a.type > b.type ? 1 : 0
}

export interface Pair {
  readonly entity: string
  /** The number of the observable among the distinct ones, from 1; 0 if it has an id. */
  readonly place: number
  readonly id: number
  readonly linkType: string | null
  /** The verdict of the entity. */
  readonly maliciousness: string | null
}

/** One link per entity and observable. The links of an entity are adjacent. */
function distinctPairs(wanted: readonly Wanted[], positions: readonly number[]): Pair[] {
  const pairs: Pair[] = []
  const places = new Map<number, number>()
  for (let i = 0; i < wanted.length; i++) {
    const { entity, observable } = wanted[i] as Wanted
    if (pairs.at(-1)?.entity !== entity) places.clear()
    const place = (positions[i] ?? -1) + 1
    const id = Number(observable.id ?? 0)
    const linkType = observable.id === undefined ? (observable.link_type ?? null) : null
    const maliciousness = observable.id === undefined ? (observable.maliciousness ?? null) : null
    const known = places.get(place - id)
    const before = known === undefined ? undefined : pairs[known]
    if (known === undefined || !before) {
      places.set(place - id, pairs.push({ entity, place, id, linkType, maliciousness }) - 1)
    } else if (linkType !== null || maliciousness !== null) {
      pairs[known] = {
        ...before,
        linkType: linkType ?? before.linkType,
        maliciousness: before.maliciousness ?? maliciousness,
      }
    }
  }
  return pairs
}

/** The ids of the distinct observables; null for those that another request created while this statement ran. */
async function run(ctx: Context, links: ObservableLinks): Promise<(number | null)[]> {
  const { rows } = await sql<{ ids: string }>`
    with ${linking(ctx, links, null)}
    select ${linkedIds} as ids`.execute(ctx.db)
  return readIds(links, rows[0]?.ids)
}

/** Parses the result of `linkedIds`. */
export const readIds = ({ observables }: ObservableLinks, ids = ''): (number | null)[] =>
  observables.length === 0 ? [] : ids.split(',').map((id) => (id === '' ? null : Number(id)))

/** The ids of the distinct observables in their order, after `linking`. */
export const linkedIds = sql`array_to_string(array(
  select k.id from wanted as w left join known as k on k.n = w.n order by w.n), ',', '')`

/**
 * The CTEs of a statement that create observables and link them. With `made`, an earlier CTE that returns the ids of new
 * entities, only those are linked; they cannot have links yet, and their observables are created after them.
 */
export function linking(ctx: Context, { observables, pairs }: ObservableLinks, made: RawBuilder<unknown> | null) {
  const onConflict = made
    ? sql``
    : sql`on conflict (source, target) do update set
        link_type = coalesce(excluded.link_type, l.link_type),
        maliciousness = case when ${CHANGES_VERDICT} then excluded.maliciousness else l.maliciousness end,
        rated_at = case when ${CHANGES_VERDICT} then now() else l.rated_at end,
        rated_by = case when ${CHANGES_VERDICT} then excluded.created_by else l.rated_by end
      where ${CHANGES_VERDICT} or (excluded.link_type is not null and l.link_type is distinct from excluded.link_type)`
  return sql`
    wanted as materialized (
      select * from unnest(
        ${textList(observables.map(({ type }) => type))}::text[],
        ${textList(observables.map(({ value }) => value))}::text[]
      ) with ordinality as u(type, value, n)
    ), old as materialized (
      -- A scalar subquery is always answered by the index; a join may read the whole table.
      select w.*, (
        select o.id from observables as o
        where observable_key(o.value) = observable_key(w.value) and o.type = w.type
      ) as id
      from wanted as w
      ${made ? sql`where (select count(*) from ${made}) >= 0` : sql``}
    ), fresh as (
      insert into observables (type, value)
      select type, value from old
      where id is null
      order by n
      on conflict do nothing
      returning id, type, value
    ), known as materialized (
      select n, id from old where id is not null
      union all
      select w.n, fresh.id from fresh join wanted as w using (value, type)
    ), linked as (
      insert into entity_observables as l (source, target, link_type, maliciousness, created_by)
      select ${made ? sql`` : sql`distinct on (p.source, coalesce(k.id, p.target))`}
        p.source, coalesce(k.id, p.target), p.link_type, p.maliciousness, nullif(${ctx.caller.id}::integer, 0)
      from unnest(
        ${uuidList(pairs.map(({ entity }) => entity))}::uuid[],
        ${integerList(pairs.map(({ place }) => place))}::integer[],
        ${integerList(pairs.map(({ id }) => id))}::integer[],
        ${textList(pairs.map(({ linkType }) => linkType))}::text[],
        ${textList(pairs.map(({ maliciousness }) => maliciousness))}::text[]
      ) as p(source, n, target, link_type, maliciousness)
      left join known as k on k.n = p.n
      where (k.id is not null or p.target > 0) ${made ? sql`and p.source in (select id from ${made})` : sql``}
      ${onConflict}
      returning l.target as id, l.source as entity, l.xmax = 0 as is_new
    ), ${
      made
        ? logLinks(ctx, 'create', made, sql`true`)
        : sql`${logLinks(ctx, 'create', sql`entities`, sql`k.is_new`)},
    ${logLinks(ctx, 'update', sql`entities`, sql`not k.is_new`)}`
    }`
}

/** Logs the observables for the holders of the keys of their entities. */
const logLinks = (
  ctx: Context,
  kind: 'create' | 'update',
  entities: RawBuilder<unknown>,
  isMeant: RawBuilder<unknown>,
) => {
  const rows = sql`(select k.id, e.vis from linked as k join ${entities} as e on e.id = k.entity where ${isMeant})`
  return sql`${sql.ref(`logged_${kind}`)} as (${loggedByKey(ctx, kind, rows)})`
}

/** Whether a link changes the verdict on the observable. */
const CHANGES_VERDICT = sql`coalesce(l.maliciousness, 'unknown') <> excluded.maliciousness`
