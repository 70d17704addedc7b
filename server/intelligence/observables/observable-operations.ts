import { sql } from 'kysely'
import { displayValue } from '../../domain/observables/defang.ts'
import { observableOf } from '../../domain/observables/read.ts'
import type { ObservableType } from '../../domain/observables/types.ts'
import { duplicateFaults, itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Operations, Resource } from '../../engine/definition.ts'
import { badRequest, conflict, notFound } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { checkReferences } from '../../engine/links.ts'
import type { ListPlan } from '../../engine/list-plan.ts'
import { AUTHOR, authorOf } from '../../engine/log.ts'
import { mergeDocuments } from '../../engine/merge.ts'
import type { Id, Link } from '../../engine/reference.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { holdsKey, sightOf } from '../../identity/access/sight.ts'
import { namesForeignSource, refuseForeignSources } from '../../identity/source-of.ts'
import { linkEntities, relinkEntities, unlinkEntities } from './entity-links.ts'
import { addRecords, removeOtherRecords } from './records.ts'
import { setMeta } from './set-meta.ts'
import { type Seen, visibleSources } from './sight.ts'
import { findOrMake } from './store.ts'

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

/** The operations of observables. Each observable exists once, and for callers only if they can see one of its sources. */
export const observableOperations: Operations = {
  list: async (ctx, resource, plan) => {
    const page = await standard.list(ctx, resource, withDisplayed(plan))
    return { ...page, rows: page.rows.map(shown) }
  },
  get: async (ctx, resource, id) => shown(await standard.get(ctx, resource, id)),
  create: async (ctx, resource, item: ObservableItem) => {
    const { rows, created } = await write(ctx, resource, [item])
    if (created === 0) throw conflict(`The element already exists: type, value '${item.type}, ${item.value}'.`)
    return rows[0] ?? { id: 0 }
  },
  upsert: (ctx, resource, items: ObservableItem[]) => write(ctx, resource, items),
  update: async (ctx, resource, id, sent: Item) => {
    const current = await standard.get(ctx, resource, id)
    const patch: Partial<ObservableItem> = {
      ...mergeDocuments(resource, current, sent),
      ...(sent.meta === null && { meta: { maliciousness: 'unknown' } }),
    }
    refuseOtherKey(current, patch)
    await checkReferences(ctx, resource, [patch as Item])
    await describe(ctx, [{ ...patch, id: Number(id) }])
    return shown(await standard.get(ctx, resource, id))
  },
  remove: removeObservables,
  link: async (ctx, resource, id, field, links) => {
    if (field !== 'entities') return standard.link(ctx, resource, id, field, links)
    await linkEntities(
      ctx,
      links.map((link) => ({ id: Number(id), entity: String(link.id) })),
    )
  },
  unlink: async (ctx, resource, id, field, target) => {
    if (field !== 'entities') return standard.unlink(ctx, resource, id, field, target)
    await unlinkEntities(ctx, [{ id: Number(id), entity: String(target) }])
  },
}

/** How a value is displayed depends on its type, which is read with it. */
function withDisplayed(plan: ListPlan): ListPlan {
  const isMissing = plan.attributes?.includes('display_value') && !plan.attributes.includes('type')
  return isMissing ? { ...plan, attributes: [...(plan.attributes ?? []), 'type'] } : plan
}

/** Completes a row with the fields that depend on the caller and with the display value. */
function shown({ seen, notes, ...row }: AnyRow): AnyRow {
  const { maliciousness, ...stamps } = seen as Seen
  const known: Item = { ...stamps, meta: { ...(notes as Item | null), maliciousness } }
  for (const name of Object.keys(known)) if (row[name] !== undefined) row[name] = known[name]
  if (row.display_value !== undefined) {
    row.display_value = displayValue(row.type as ObservableType, String(row.display_value))
  }
  return row
}

/** Refuses changes of type and value: they identify the observable, which would change for everyone who has it. */
function refuseOtherKey(current: AnyRow, { type, value }: Partial<ObservableItem>): void {
  if (type === undefined && value === undefined) return
  const read = readAll([{ type: type ?? String(current.type), value: value ?? String(current.value) }])[0]
  const faults = (['type', 'value'] as const).filter((name) => read?.[name] !== current[name])
  if (faults.length > 0) throw badRequest(faults.map((name) => `${name}: cannot be changed; create another observable`))
}

function readAll(items: readonly ObservableItem[]): Read[] {
  const found = items.map(({ type, value }) => observableOf(type, value))
  const faults = found.flatMap((one, i) =>
    'fault' in one ? [`${itemPrefix(items, i)}${one.field}: ${one.fault}`] : [],
  )
  const keyOf = (one: (typeof found)[number]) => ('fault' in one ? undefined : `${one.type} ${one.value}`)
  faults.push(...duplicateFaults(found, keyOf, 'type and value'))
  if (faults.length > 0) throw badRequest(faults)
  return items.flatMap((item, i) => {
    const one = found[i]
    return one === undefined || 'fault' in one ? [] : [{ ...item, ...one }]
  })
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
  const { home } = sightOf(ctx)
  const described = items.map((item, i): Described => {
    // An observable that the caller could not see is new to them, even if others have it.
    const isFresh = found[i]?.is_visible === false
    const fallback = isFresh && home !== null ? [{ id: home }] : isFresh ? [] : undefined
    return { ...item, id: ids[i] ?? 0, sources: item.sources ?? fallback }
  })
  await describe(ctx, described)
  const rows = await fetchRows(ctx, resource, ids)
  return { rows: rows.map(shown), created: found.filter(({ is_visible }) => !is_visible).length }
}

/** The fields to set on an existing observable. */
type Described = Partial<Omit<ObservableItem, 'type' | 'value'>> & { readonly id: number }

async function describe(ctx: Context, items: readonly Described[]): Promise<void> {
  await setSources(ctx, items)
  await relinkEntities(
    ctx,
    items.flatMap(({ id, entities }) => (entities === undefined ? [] : [{ id, entities }])),
  )
  await setMeta(
    ctx,
    items.flatMap(({ id, meta }) => (meta === undefined ? [] : [{ id, meta }])),
  )
}

/** Replaces the sources that the caller can see, and leaves the others. */
async function setSources(ctx: Context, items: readonly Described[]): Promise<void> {
  const setters = items.flatMap(({ id, sources, meta }) => (sources === undefined ? [] : [{ id, sources, meta }]))
  if (setters.length === 0) return
  const homeless = items.findIndex(({ sources }) => sources?.length === 0)
  if (homeless >= 0) throw badRequest(`${itemPrefix(items, homeless)}sources: must have at least 1 item`)
  await refuseForeign(ctx, setters)
  await removeOtherRecords(ctx, setters)
  const own = new Set(sightOf(ctx).own)
  const pairs = setters.flatMap(({ id, sources, meta }) =>
    sources.map((source) => ({ id, source: String(source.id), meta })),
  )
  await addRecords(
    ctx,
    pairs.filter(({ source }) => own.has(source)),
  )
}

/** Refuses sources that neither belong to the caller nor are visible sources of the observable. */
async function refuseForeign(
  ctx: Context,
  setters: readonly { readonly id: number; readonly sources: readonly Link[] }[],
): Promise<void> {
  const asked = setters.filter((setter) => namesForeignSource(ctx, setter)).map(({ id }) => id)
  if (asked.length === 0) return
  const { rows } = await sql<{ id: number; sources: string[] }>`
    select t.id, array(${visibleSources(ctx)}) as sources from observables as t
    where t.id = any(${asked}::integer[])`.execute(ctx.db)
  const shown = new Map(rows.map(({ id, sources }) => [id, sources]))
  refuseForeignSources(ctx, setters, (i) => shown.get(setters[i]?.id ?? 0) ?? [])
}

/** Removes everything that the caller can see of observables. What others see remains. */
async function removeObservables(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<void> {
  // Prevents new links with entities until the commit.
  await sql`lock table observables in share row exclusive mode`.execute(ctx.db)
  const { rows } = await sql<{ id: number }>`
    select t.id from observables as t
    where t.id = any(${ids}::integer[]) and ${visible(ctx, resource)}`.execute(ctx.db)
  const present = new Set<Id>(rows.map(({ id }) => id))
  const absent = ids.find((id) => !present.has(id))
  if (absent !== undefined) throw notFound(absent)
  await sql`
    with unlinked as (
      delete from entity_observables as l using entities as e
      where l.target = any(${ids}::integer[]) and e.id = l.source and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}
      returning l.target as id, e.vis
    ), forgotten as (
      delete from observable_records as r
      where r.observable = any(${ids}::integer[]) and ${holdsKey(ctx, sql`r.vis`)}
      returning r.observable as id, r.vis
    ), lost as (
      select id, jsonb_build_array(jsonb_agg(distinct vis)) as keys
      from (select * from unlinked union all select * from forgotten) as u
      group by id
    )
    insert into changes (${AUTHOR}, resource, kind, ids, keys)
    select ${authorOf(ctx)}, 'observables', 'delete', array_agg(id::text), jsonb_agg(keys)
    from lost having count(*) > 0`.execute(ctx.db)
  await sql`
    delete from observables as t
    where t.id = any(${ids}::integer[])
      and not exists (select from entity_observables as l where l.target = t.id)
      and not exists (select from observable_records as r where r.observable = t.id)`.execute(ctx.db)
}
