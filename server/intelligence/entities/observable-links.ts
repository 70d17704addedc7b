import { type RawBuilder, sql } from 'kysely'
import { integerList, textList, uuidList } from '../../engine/binary.ts'
import { retry } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { notedByKey } from '../observables/noted.ts'
import type { NamedObservable, ObservableLink } from './observables-in.ts'

/** An observable that is to be linked to an entity. */
export interface Wanted {
  readonly entity: string
  readonly observable: ObservableLink
}

/** Observables that are to be linked, each once, and the links. */
export interface ObservableLinks extends Distinct {
  readonly wanted: readonly Wanted[]
  readonly pairs: readonly Pair[]
}

/** Sorts out what is wanted: each observable once, in the order in which all requests make them. */
export function sortOut(wanted: readonly Wanted[]): ObservableLinks {
  const found = distinct(wanted)
  return { ...found, wanted, pairs: distinctPairs(wanted, found.positions) }
}

/**
 * Makes the observables that are new and links all of them; gives their ids in the order of what was wanted.
 * Observables come last in a transaction and in one order: two requests that make the same ones wait for each other, and
 * not for long.
 */
export async function linkObservables(ctx: Context, links: ObservableLinks): Promise<number[]> {
  return links.wanted.length === 0 ? [] : linkTheRest(ctx, links, await run(ctx, links))
}

/** Links what another request made while the statement ran that linked all others; gives the ids in the order of what was wanted. */
export async function linkTheRest(
  ctx: Context,
  links: ObservableLinks,
  ids: readonly (number | null)[],
): Promise<number[]> {
  const first = idsOf(links, ids)
  if (!first.includes(null)) return first as number[]
  const rest = sortOut(links.wanted.filter((_, i) => first[i] === null))
  // They are there by now.
  const later = await run(ctx, rest)
  const found = idsOf(rest, later).values()
  return first.map((id) => {
    const known = id ?? found.next().value ?? null
    if (known === null) throw retry('An observable vanished.')
    return known
  })
}

/** The ids of what was wanted, in its order, by the ids of the distinct observables. */
const idsOf = ({ wanted, positions }: ObservableLinks, ids: readonly (number | null)[]): (number | null)[] =>
  wanted.map(({ observable }, i) =>
    observable.id === undefined ? (ids[positions[i] ?? -1] ?? null) : Number(observable.id),
  )

interface Distinct {
  /** Each once, in the order of their keys. */
  readonly observables: readonly NamedObservable[]
  /** For each of the wanted the place of its observable in the list above; -1 where it has an id. */
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

/** The order in which all requests make observables. */
function compare(a: NamedObservable | undefined, b: NamedObservable | undefined): number {
  if (!a || !b) return 0
  if (a.value !== b.value) return a.value < b.value ? -1 : 1
  return a.type < b.type ? -1 : a.type > b.type ? 1 : 0
}

export interface Pair {
  readonly entity: string
  /** The place of the observable among the distinct ones, or else its id. */
  readonly place: number
  readonly id: number
  readonly linkType: string | null
  /** How malicious the entity says it is. */
  readonly maliciousness: string | null
}

/** Each observable once per entity; those of an entity come one after the other. */
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

/** The ids of the distinct observables; null for those that another request made while this statement ran. */
async function run(ctx: Context, links: ObservableLinks): Promise<(number | null)[]> {
  const { rows } = await sql<{ ids: string }>`
    with ${linking(ctx, links, null)}
    select ${linkedIds} as ids`.execute(ctx.db)
  return readIds(links, rows[0]?.ids)
}

/** Reads what `linkedIds` gives. */
export const readIds = ({ observables }: ObservableLinks, ids = ''): (number | null)[] =>
  observables.length === 0 ? [] : ids.split(',').map((id) => (id === '' ? null : Number(id)))

/** The ids of the distinct observables in their order, after `linking`. */
export const linkedIds = sql`array_to_string(array(
  select k.id from wanted as w left join known as k on k.n = w.n order by w.n), ',', '')`

/**
 * The parts of a statement that make observables and link them. With `made`, a part before these that gives the ids of
 * new entities, only those are linked, which cannot have links yet, and their observables come after them.
 */
export function linking(ctx: Context, { observables, pairs }: ObservableLinks, made: RawBuilder<unknown> | null) {
  const onConflict = made
    ? sql``
    : sql`on conflict (source, target) do update set
        link_type = coalesce(excluded.link_type, l.link_type),
        maliciousness = case when ${SAYS} then excluded.maliciousness else l.maliciousness end,
        rated_at = case when ${SAYS} then now() else l.rated_at end,
        rated_by = case when ${SAYS} then excluded.created_by else l.rated_by end
      where ${SAYS} or (excluded.link_type is not null and l.link_type is distinct from excluded.link_type)`
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
        ? told(ctx, 'create', made, sql`true`)
        : sql`${told(ctx, 'create', sql`entities`, sql`k.is_new`)},
    ${told(ctx, 'update', sql`entities`, sql`not k.is_new`)}`
    }`
}

/** Notes of which observables others may hear: those who hold the keys of the entities that have them now. */
const told = (ctx: Context, kind: 'create' | 'update', entities: RawBuilder<unknown>, isMeant: RawBuilder<unknown>) => {
  const rows = sql`(select k.id, e.vis from linked as k join ${entities} as e on e.id = k.entity where ${isMeant})`
  return sql`${sql.ref(`told_${kind}`)} as (${notedByKey(ctx, kind, rows)})`
}

/** Whether a link says something else of how malicious the observable is than before. */
const SAYS = sql`coalesce(l.maliciousness, 'unknown') <> excluded.maliciousness`
