import { sql } from 'kysely'
import { keepOwnTasks, removeOwnTasks } from '../../background/owned-tasks.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Operations } from '../../engine/definition.ts'
import { badRequest, notFound } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { mergeDocuments } from '../../engine/merge.ts'
import type { Id } from '../../engine/reference.ts'
import { standard } from '../../engine/standard.ts'
import { replace } from '../../engine/write.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { removeSources, syncOwnedSources } from '../../identity/owned-sources.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { checkParameters, type StoredParameters } from '../parameters.ts'
import { purgeFindings } from '../purge-findings.ts'
import { withStoredColours } from '../stored-colours.ts'
import { ENRICHERS } from './enricher-task.ts'
import { findFunctions } from './find-function.ts'
import type { EnricherFunction } from './function.ts'
import { keepBudgets } from './reserve.ts'
import { resumeEnrichers } from './resume.ts'

interface Stored extends StoredParameters, AnyRow {
  readonly id: number
  readonly name: string
  readonly enricher: string
  readonly is_active: boolean
  readonly supported_observable_types: readonly string[]
}

/** The operations of enrichers. Each owns a source and a task, which are created, changed and deleted with it. */
export const enricherOperations: Operations = {
  ...standard,
  create: async (ctx, resource, item: Item) => {
    const [ready = item] = await checked(ctx, [named(item)], [undefined])
    const { id } = await standard.create(ctx, resource, ready)
    await keepOwned(ctx, [id])
    return standard.get(ctx, resource, id)
  },
  upsert: async (ctx, resource, sent: Item[]) => {
    const items = sent.map(named)
    const before = await lockEnrichers(
      ctx,
      'name',
      items.map(({ name }) => name),
    )
    const byName = new Map(before.map((row) => [row.name, row]))
    const ready = await checked(
      ctx,
      items,
      items.map(({ name }) => byName.get(String(name))),
    )
    const { rows, created } = await standard.upsert(ctx, resource, ready)
    const ids = rows.map(({ id }) => id)
    await keepOwned(ctx, ids)
    return { rows: await fetchRows(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch: Item) => {
    const [stored] = await lockEnrichers(ctx, 'id', [id])
    if (!stored) throw notFound(id)
    const merged = mergeDocuments(resource, stored, patch)
    const [ready = merged] = await checked(
      ctx,
      [merged.name === '' ? { ...merged, ...named(stored) } : merged],
      [stored],
    )
    await replace(ctx, resource, id, ready)
    await keepOwned(ctx, [id])
    return standard.get(ctx, resource, id)
  },
  remove: async (ctx, resource, ids) => {
    const locked = await lockEnrichers(ctx, 'id', ids)
    const sources = locked.map(({ source }) => String(source))
    await purgeFindings(ctx, sources)
    await removeOwnTasks(ctx, ENRICHERS, ids)
    await standard.remove(ctx, resource, ids)
    await removeSources(ctx.db, sources)
    await sweepSoon(ctx)
  },
}

/** The item with a name: that of its function, in the characters that names may have. */
const named = (item: Item): Item => ({
  ...item,
  name:
    item.name ||
    String(item.enricher)
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .slice(0, 200),
})

/** The stored enrichers, locked until the request ends. */
async function lockEnrichers(ctx: Context, by: 'id' | 'name', keys: readonly unknown[]): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select id, name, enricher, is_active, supported_observable_types, parameters, parameter_secrets, limits, execution_cap, source_urls, extra, source
    from enrichers
    where ${sql.ref(by)} = any(${keys}::${sql.raw(by === 'id' ? 'integer' : 'text')}[])
    order by id
    for update`.execute(ctx.db)
  return rows
}

/** Validates enrichers together with their functions, and completes new ones. Responds 400 with everything that is wrong. */
async function checked(ctx: Context, items: readonly Item[], stored: readonly (Stored | undefined)[]): Promise<Item[]> {
  const names = items.map((item, i) => String(item.enricher ?? stored[i]?.enricher))
  const known = await findFunctions(ctx.db, names)
  const faults: string[] = []
  const ready = items.map((item, i) => {
    const before = stored[i]
    const own = known.get(names[i] ?? '')
    const where = items.length > 1 ? `[${i}].` : ''
    const whole = { ...before, ...item, enricher: names[i] ?? '' }
    faults.push(...usageFaults(whole, own).map((fault) => `${where}${fault}`))
    const sent = {
      reader: whole.enricher,
      parameters: (item.parameters ?? before?.parameters ?? {}) as Item,
      isActive: whole.is_active === true,
    }
    const parameters = checkParameters(ctx.vault, own, sent, before && { ...before, reader: before.enricher })
    if ('faults' in parameters) {
      faults.push(...parameters.faults.map((fault) => `${where}${fault}`))
      return item
    }
    return { ...(before ? {} : defaultsOf(own)), ...given(item), ...parameters }
  })
  if (faults.length > 0) throw badRequest(faults)
  return withStoredColours(ctx, ready)
}

const given = (item: Item): Item => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined))

const defaultsOf = (own: EnricherFunction | undefined): Item => ({
  limits: own?.limits ?? [],
  source_urls: own?.sourceUrls ?? {},
  max_tlp: (own?.isRemote ?? true) ? 'GREEN' : null,
})

function usageFaults(item: Item, own: EnricherFunction | undefined): string[] {
  if (!own) {
    return item.is_active
      ? [
          `is_active: must be false, because there is no function '${String(item.enricher).slice(0, 200)}' in this installation`,
        ]
      : []
  }
  const types = (item.supported_observable_types ?? []) as readonly string[]
  const other = types.filter((type) => !own.supportedTypes.includes(type))
  const faults =
    other.length === 0
      ? []
      : [
          `supported_observable_types: ${own.name} does not look up ${other.join(', ')}, only ${own.supportedTypes.join(', ')}`,
        ]
  return [...faults, ...limitFaults(item, own)]
}

/** A look-up that never fits into a limit would begin again and again, and use it up each time. */
function limitFaults({ limits, execution_cap: cap }: Item, { requestsPerLookUp: needed }: EnricherFunction): string[] {
  const given = Array.isArray(limits) ? limits : []
  const isLow = (calls: unknown) => typeof calls === 'number' && calls > 0 && calls < needed
  const text = `must be at least ${needed}, because one look-up sends up to ${needed} requests`
  return [
    ...given.flatMap((limit, i) => (isLow(limit.calls) ? [`limits[${i}].calls: ${text}`] : [])),
    ...(isLow(cap) ? [`execution_cap: ${text}`] : []),
  ]
}

/** Creates or updates what belongs to enrichers. The first group of the caller sees new sources in full. Saving ends a suspension. */
async function keepOwned(ctx: Context, ids: readonly Id[]): Promise<void> {
  const made = await syncOwnedSources(ctx.db, 'enrichers', ids)
  await sql`
    insert into group_sources (source, target, allowed_tlp)
    select g.id, s.id, 'RED'
    from groups as g cross join unnest(${made}::uuid[]) as s(id)
    where g.source = ${sightOf(ctx).home}::uuid`.execute(ctx.db)
  await keepOwnTasks(ctx.db, ENRICHERS, ids)
  await keepBudgets(ctx.db, ids)
  await resumeEnrichers(ctx, ids)
}
