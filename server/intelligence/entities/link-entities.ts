import { sql } from 'kysely'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { Context, Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { badRequest } from '../../engine/errors.ts'
import { relink } from '../../engine/links.ts'
import type { Id } from '../../engine/reference.ts'
import type { Enforced } from '../entity-rules/enforce.ts'
import type { EntityItem } from './compose.ts'
import type { DataSummary, Embed } from './data-summary.ts'
import { distinctLinks, linkObservables, type ObservableLinks, type Wanted } from './link-observables.ts'
import { extractsOf } from './observables-in.ts'
import type { EntityRow } from './state.ts'
import type { StoredEntity } from './store.ts'

/** An entity during a write: the request's item, the row to store, and the row it replaces. */
export interface Written {
  readonly item: EntityItem
  readonly entity: StoredEntity
  readonly summary: DataSummary
  /** The id of its source. */
  readonly source: string
  readonly taxonomies: readonly number[]
  readonly row?: EntityRow
  readonly isNew: boolean
  /** What rules made of it, and how it was before. */
  readonly enforced?: Enforced
  readonly plain?: Written
}

/** The observables that entities name in their data, their meta and their `observables`. */
export function observablesOf(written: readonly Written[]): ObservableLinks {
  const wanted: Wanted[] = []
  for (const { item, entity } of written) {
    if (item.observables) for (const observable of item.observables) wanted.push({ entity: entity.id, observable })
    for (const observable of extractsOf(item.data, item.meta)) wanted.push({ entity: entity.id, observable })
  }
  return distinctLinks(wanted)
}

/** Observables that the insert of the entities has already linked. */
interface Linked {
  readonly links: ObservableLinks
  readonly ids: readonly number[]
}

/** Links entities with everything they name. Returns the ids of the observables of each. */
export async function linkEntities(
  ctx: Context,
  resource: Resource,
  written: readonly Written[],
  linked?: Linked,
): Promise<number[][]> {
  await refuseDynamic(ctx, written)
  await relink(ctx, resource, linkFields(written))
  await checkEmbeds(ctx, written)
  return linkObservablesOf(ctx, written, linked)
}

/** The to-many fields that entities set. Empty lists of new entities are left out. */
function linkFields(written: readonly Written[]): Map<Id, Item> {
  const fields = new Map<Id, Item>()
  for (const { item, entity, taxonomies, row, isNew } of written) {
    if (!item.attachments && !item.datasets && isNew && taxonomies.length === 0) continue
    const isGiven = (list: readonly unknown[] | undefined) => list !== undefined && (!isNew || list.length > 0)
    const hasNodes = isNew ? taxonomies.length > 0 : String(row?.meta.taxonomies) !== String(taxonomies)
    const set = {
      ...(isGiven(item.attachments) && { attachments: item.attachments }),
      ...(isGiven(item.datasets) && { datasets: item.datasets }),
      ...(hasNodes && { taxonomies: taxonomies.map((id) => ({ id })) }),
    }
    if (Object.keys(set).length > 0) fields.set(entity.id, set)
  }
  return fields
}

/** Refuses dynamic datasets, whose entities follow from a query. */
async function refuseDynamic(ctx: Context, written: readonly Written[]): Promise<void> {
  if (!written.some(({ item }) => item.datasets?.length)) return
  const ids = written.flatMap(({ item }) => (item.datasets ?? []).map(({ id }) => id))
  const { rows } = await sql<{ id: number }>`
    select id from datasets
    where id = any(${ids}::integer[]) and (search_query is not null or relational_query is not null)`.execute(ctx.db)
  if (rows.length === 0) return
  throw badRequest(rows.map(({ id }) => `datasets: '${id}' is dynamic: what is in it follows from its query`))
}

/** Refuses descriptions that show an attachment the entity is not linked with. */
async function checkEmbeds(ctx: Context, written: readonly Written[]): Promise<void> {
  const embeds: (Embed & { readonly position: number; readonly entity: string })[] = []
  for (let position = 0; position < written.length; position++) {
    const { entity, summary } = written[position] as Written
    for (const embed of summary.embeds) embeds.push({ ...embed, position, entity: entity.id })
  }
  if (embeds.length === 0) return
  const { rows } = await sql<{ source: string; target: string }>`
    select l.source, l.target
    from entity_attachments as l
    where l.source = any(${embeds.map(({ entity }) => entity)}::uuid[])`.execute(ctx.db)
  const related = new Set(rows.map(({ source, target }) => `${source} ${target}`))
  const faults = embeds
    .filter(({ entity, attachment }) => !related.has(`${entity} ${attachment}`))
    .map(({ position, field, attachment }) => {
      const where = itemPrefix(written, position)
      return `${where}data.${field}: shows the attachment '${attachment}', which must be in attachments as well`
    })
  if (faults.length > 0) throw badRequest(faults)
}

async function linkObservablesOf(
  ctx: Context,
  written: readonly Written[],
  already: Linked | undefined,
): Promise<number[][]> {
  const links = already?.links ?? observablesOf(written)
  const ids = already?.ids ?? (await linkObservables(ctx, links))
  let start = 0
  const linked = written.map(({ entity }) => {
    // The links are in the order of the entities.
    let end = start
    while (links.wanted[end]?.entity === entity.id) end++
    const own = ids.slice(start, end)
    start = end
    return sortDistinct(own)
  })
  await unlinkOthers(ctx, written, linked)
  return linked
}

const SHORT = 20

/** Sorts numbers and removes duplicates, in place for short lists: `sort` allocates more memory than most lists have. */
function sortDistinct(numbers: number[]): number[] {
  if (numbers.length > SHORT) numbers.sort((a, b) => a - b)
  let count = 0
  for (const number of numbers) {
    let place = count
    while (place > 0 && (numbers[place - 1] as number) > number) place--
    if (place > 0 && numbers[place - 1] === number) continue
    numbers.copyWithin(place + 1, place, count++)
    numbers[place] = number
  }
  return count === numbers.length ? numbers : numbers.slice(0, count)
}

/** Removes links to observables that an update leaves out, and stamps entities that only changed in their links. */
async function unlinkOthers(ctx: Context, written: readonly Written[], linked: readonly number[][]): Promise<void> {
  if (!written.some(({ row }) => row)) return
  const changed: string[] = []
  const gone = written.flatMap(({ item, entity, row }, i) => {
    if (!row) return []
    const now = new Set(linked[i])
    const before = new Set(row.observables)
    const others = item.observables === undefined ? [] : row.observables.filter((id) => !now.has(id))
    if (others.length > 0 || linked[i]?.some((id) => !before.has(id))) changed.push(entity.id)
    return others.map((target) => ({ source: entity.id, target }))
  })
  if (gone.length > 0) {
    await sql`
      delete from entity_observables as l
      using unnest(${gone.map(({ source }) => source)}::uuid[], ${gone.map(({ target }) => target)}::integer[])
        as g(source, target)
      where l.source = g.source and l.target = g.target`.execute(ctx.db)
  }
  if (changed.length > 0) {
    await sql`
      update entities set last_updated_at = now()
      where id = any(${changed}::uuid[]) and last_updated_at < now()`.execute(ctx.db)
  }
}
