import { type RawBuilder, sql } from 'kysely'
import { seesSource, sightOf } from '../../auth/sight.ts'
import { displayValue } from '../../domain/observables/mask.ts'
import { observableOf } from '../../domain/observables/read.ts'
import type { ObservableType } from '../../domain/observables/types.ts'
import { badRequest, conflict, notFound } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { checkReferences, relink } from '../../engine/links.ts'
import type { Id, Link } from '../../engine/reference.ts'
import type { AnyRow, Context, Item, Operations, Resource } from '../../engine/resource.ts'
import { visible } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { namesForeignSource, refuseForeignSources } from '../source-of.ts'
import { itsSources } from './sight.ts'
import { findOrMake, touchObservables } from './store.ts'

interface ObservableItem {
  readonly type: string
  readonly value: string
  readonly meta?: Item | undefined
  readonly sources?: readonly Link[] | undefined
  readonly entities?: readonly Link[] | undefined
}

interface Read extends Omit<ObservableItem, 'type'> {
  readonly type: ObservableType
}

/** What observables do: each exists once for all, and for a caller as soon as one of their sources has it. */
export const operations: Operations = {
  list: async (ctx, resource, plan) => {
    const page = await standard.list(ctx, resource, plan)
    return { ...page, rows: page.rows.map(shown) }
  },
  get: async (ctx, resource, id) => shown(await standard.get(ctx, resource, id)),
  create: async (ctx, resource, item: ObservableItem) => {
    const { rows, created } = await write(ctx, resource, [item])
    if (created === 0) throw conflict(`The element already exists: type, value '${item.type}, ${item.value}'.`)
    return rows[0] ?? { id: 0 }
  },
  upsert: (ctx, resource, items: ObservableItem[]) => write(ctx, resource, items),
  update: async (ctx, resource, id, patch: Partial<ObservableItem>) => {
    const { sources, ...rest } = patch
    const current = await standard.get(ctx, resource, id)
    const read = readAll([{ type: String(current.type), value: String(current.value), ...rest }])[0]
    const changed = rest.type !== undefined || rest.value !== undefined
    await standard.update(ctx, resource, id, { ...rest, ...(changed && { type: read?.type, value: read?.value }) })
    if (sources) await setSources(ctx, resource, [{ id: Number(id), sources }])
    return shown(await standard.get(ctx, resource, id))
  },
  remove: removeObservables,
  link: standard.link,
  unlink: standard.unlink,
}

/** A row with the value as people should see it. */
const shown = (row: AnyRow): AnyRow =>
  row.display_value === undefined
    ? row
    : { ...row, display_value: displayValue(row.type as ObservableType, String(row.display_value)) }

function readAll(items: readonly ObservableItem[]): Read[] {
  const faults: string[] = []
  const where = (position: number) => (items.length > 1 ? `[${position}].` : '')
  const read = items.flatMap((item, position): Read[] => {
    const found = observableOf(item.type, item.value)
    if ('fault' in found) faults.push(`${where(position)}${found.field}: ${found.fault}`)
    return 'fault' in found ? [] : [{ ...item, ...found }]
  })
  const twins = Map.groupBy(read.keys(), (i) => `${read[i]?.type} ${read[i]?.value}`)
  for (const same of twins.values()) {
    if (same.length > 1) faults.push(`${same.map((i) => `[${i}]`).join(' and ')} have the same type and value.`)
  }
  if (faults.length > 0) throw badRequest(faults)
  return read
}

async function write(
  ctx: Context,
  resource: Resource,
  sent: readonly ObservableItem[],
): Promise<{ rows: AnyRow[]; created: number }> {
  const items = readAll(sent)
  await checkReferences(ctx, resource, items as unknown as Item[])
  const found = await findOrMake(ctx, items, visible(ctx, resource, 'o'))
  const ids = found.map(({ id }) => id)
  // What the caller could not see is new to them, wherever else it is known.
  const isFresh = (i: number) => found[i]?.is_visible === false
  const { home } = sightOf(ctx)
  const owned = items.map((item, i) => ({
    id: ids[i] ?? 0,
    sources: item.sources ?? (isFresh(i) ? [{ id: home ?? '' }] : undefined),
  }))
  const homeless = owned.findIndex(({ sources }) => sources?.some(({ id }) => id === '') || sources?.length === 0)
  if (homeless >= 0) throw badRequest(`${sent.length > 1 ? `[${homeless}].` : ''}sources: must have at least 1 item`)
  await setSources(ctx, resource, owned)
  await relink(ctx, resource, new Map(items.map(({ entities }, i): [Id, Item] => [ids[i] ?? 0, { entities }])))
  await touchObservables(
    ctx,
    items.flatMap(({ meta }, i) => (found[i]?.is_made || meta === undefined ? [] : [{ id: ids[i] ?? 0, meta }])),
  )
  const rows = await fetchRows(ctx, resource, ids)
  return { rows: rows.map(shown), created: found.filter(({ is_visible }) => !is_visible).length }
}

/** Replaces the sources that the caller can see; others are not theirs to take away. */
async function setSources(
  ctx: Context,
  resource: Resource,
  owned: readonly { readonly id: number; readonly sources?: readonly Link[] | undefined }[],
): Promise<void> {
  const setters = owned.flatMap(({ id, sources }) => (sources === undefined ? [] : [{ id, sources }]))
  if (setters.length === 0) return
  await checkReferences(ctx, resource, setters)
  await refuseForeign(ctx, setters)
  const { own } = sightOf(ctx)
  const pairs = setters.flatMap(({ id, sources }) => sources.map((source) => ({ id, source: source.id })))
  if (setters.some(({ sources }) => sources.length === 0)) throw badRequest('sources: must have at least 1 item')
  const wanted = sql`unnest(${pairs.map(({ id }) => id)}::integer[], ${pairs.map(({ source }) => source)}::uuid[])`
  await sql`
    delete from observable_sources as l
    where l.source = any(${setters.map(({ id }) => id)}::integer[]) and ${seesSource(ctx, sql`l.target`)}
      and (l.source, l.target) not in (select * from ${wanted})`.execute(ctx.db)
  await sql`
    insert into observable_sources (source, target)
    select i.source, i.target from ${wanted} as i(source, target)
    where i.target = any(${own}::uuid[])
    order by 1, 2
    on conflict do nothing`.execute(ctx.db)
}

/** Refuses sources that are neither the caller's nor shown to them as sources of the observable. */
async function refuseForeign(
  ctx: Context,
  setters: readonly { readonly id: number; readonly sources: readonly Link[] }[],
): Promise<void> {
  const asked = setters.filter((setter) => namesForeignSource(ctx, setter)).map(({ id }) => id)
  if (asked.length === 0) return
  const { rows } = await sql<{ id: number; sources: string[] }>`
    select t.id, array(${itsSources(ctx)}) as sources from observables as t
    where t.id = any(${asked}::integer[])`.execute(ctx.db)
  const shown = new Map(rows.map(({ id, sources }) => [id, sources]))
  refuseForeignSources(ctx, setters, (i) => shown.get(setters[i]?.id ?? 0) ?? [])
}

/** Takes observables out of the caller's sight: what others still see of them stays. */
async function removeObservables(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<void> {
  // No entity may be linked with one of them in the meantime.
  await sql`lock table observables in share row exclusive mode`.execute(ctx.db)
  const { rows } = await sql<{ id: number; keys: unknown }>`
    select t.id, ${observableKeys} as keys from observables as t
    where t.id = any(${ids}::integer[]) and ${visible(ctx, resource)}`.execute(ctx.db)
  const present = new Set<Id>(rows.map(({ id }) => id))
  const absent = ids.find((id) => !present.has(id))
  if (absent !== undefined) throw notFound(absent)
  const entities = ctx.resources.get('entities')
  const isSeen: RawBuilder<unknown> = entities ? visible(ctx, entities, 'e') : sql`true`
  await sql`
    delete from entity_observables as l using entities as e
    where l.target = any(${ids}::integer[]) and e.id = l.source and ${isSeen}`.execute(ctx.db)
  await sql`
    delete from observable_sources as l
    where l.source = any(${ids}::integer[]) and ${seesSource(ctx, sql`l.target`)}`.execute(ctx.db)
  await sql`
    with gone as (
      delete from observables as t
      where t.id = any(${ids}::integer[])
        and not exists (select from entity_observables as l where l.target = t.id)
        and not exists (select from observable_sources as l where l.source = t.id)
    )
    insert into changes (user_id, resource, kind, ids, keys)
    values (
      nullif(${ctx.caller.id}::integer, 0), 'observables', 'delete', ${rows.map(({ id }) => String(id))}::text[],
      ${JSON.stringify(rows.map(({ keys }) => keys))}::jsonb)`.execute(ctx.db)
}

/** One key lets somebody see the observable `t`: that of one of its entities, or the lowest one of one of its own sources. */
const observableKeys = sql`jsonb_build_array(to_jsonb(array(
  select e.vis from entity_observables as l join entities as e on e.id = l.source where l.target = t.id
  union
  select s.number * 8 from observable_sources as l join sources as s on s.id = l.target where l.source = t.id)))`
