import { sql } from 'kysely'
import { itemPrefix } from '../../engine/bulk-errors.ts'
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
import { circuitOf } from '../circuit.ts'
import { checkParameters, type StoredParameters } from '../parameters.ts'
import { purgeFindings } from '../purge-findings.ts'
import { withStoredColours } from '../stored-colours.ts'
import type { Adapter } from './adapter.ts'
import { adapterNamed, adaptersOf } from './find-adapter.ts'
import { serversIn } from './terms.ts'

interface Stored extends StoredParameters, AnyRow {
  readonly id: number
  readonly name: string
  readonly adapter: string
  readonly source: string
}

/** The operations of detonators. Each owns a source, which is created, changed and deleted with it. */
export const detonatorOperations: Operations = {
  ...standard,
  create: async (ctx, resource, item: Item) => {
    const [ready = item] = await checked(ctx, await named(ctx, [item]), [undefined])
    const { id } = await standard.create(ctx, resource, ready)
    await keepOwned(ctx, [id])
    return standard.get(ctx, resource, id)
  },
  upsert: async (ctx, resource, sent: Item[]) => {
    const items = await named(ctx, sent, true)
    const before = await lockDetonators(
      ctx,
      'name',
      items.map(({ name }) => name),
    )
    const byName = new Map(before.map((row) => [row.name, row]))
    const stored = items.map(({ name }) => byName.get(String(name)))
    const { rows, created } = await standard.upsert(ctx, resource, await checked(ctx, items, stored))
    const ids = rows.map(({ id }) => id)
    await keepOwned(ctx, ids)
    return { rows: await fetchRows(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, { name: _, ...patch }: Item) => {
    const [stored] = await lockDetonators(ctx, 'id', [id])
    if (!stored) throw notFound(id)
    const merged = mergeDocuments(resource, stored, patch)
    const [ready = merged] = await checked(ctx, [merged], [stored])
    await replace(ctx, resource, id, ready)
    await keepOwned(ctx, [id])
    return standard.get(ctx, resource, id)
  },
  remove: async (ctx, resource, ids) => {
    const locked = await lockDetonators(ctx, 'id', ids)
    const sources = locked.map(({ source }) => source)
    await purgeFindings(ctx, sources)
    await standard.remove(ctx, resource, ids)
    await removeSources(ctx.db, sources)
    await sweepSoon(ctx)
  },
}

/** The items with names and adapters: either stands for the other. New detonators of an adapter are numbered. */
async function named(ctx: Context, items: readonly Item[], isUpsert = false): Promise<Item[]> {
  const complete = items.map((item) => ({
    ...item,
    ...(!item.adapter && adapterNamed(ctx, String(item.name)) && { adapter: item.name }),
  })) as Item[]
  const isNumbered = ({ name, adapter }: Item) => adapter && (!name || (!isUpsert && name === adapter))
  if (!complete.some(isNumbered)) return complete
  const { rows } = await sql<{ name: string }>`select name from detonators`.execute(ctx.db)
  const taken = new Set([...rows.map(({ name }) => name), ...complete.map(({ name }) => (isUpsert ? name : ''))])
  return complete.map((item) => {
    if (!isNumbered(item)) return item
    const adapter = String(item.adapter).replaceAll(/[^A-Za-z0-9]+/g, '_')
    let name = adapter
    for (let number = 2; taken.has(name); number++) name = `${adapter}_${number}`
    taken.add(name)
    return { ...item, name }
  })
}

/** The stored detonators, locked until the request ends. */
async function lockDetonators(ctx: Context, by: 'id' | 'name', keys: readonly unknown[]): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select id, name, adapter, is_active, parameters, parameter_secrets, source
    from detonators
    where ${sql.ref(by)} = any(${keys}::${sql.raw(by === 'id' ? 'integer' : 'text')}[])
    order by id
    for update`.execute(ctx.db)
  return rows
}

/** Validates detonators together with their adapters, and completes new ones. Responds 400 with everything that is wrong. */
async function checked(ctx: Context, items: readonly Item[], stored: readonly (Stored | undefined)[]): Promise<Item[]> {
  const faults: string[] = []
  const ready = items.map((item, i) => {
    const before = stored[i]
    const adapter = String(item.adapter || before?.adapter || '')
    const own = adapterNamed(ctx, adapter)
    const isActive = (item.is_active ?? before?.is_active) === true
    const where = (fault: string) => `${itemPrefix(items, i)}${fault}`
    faults.push(...usageFaults(ctx, { ...item, adapter, is_active: isActive }, own, before).map(where))
    const sent = { reader: adapter, parameters: (item.parameters ?? before?.parameters ?? {}) as Item, isActive }
    const parameters = checkParameters(ctx.vault, own, sent, before && { ...before, reader: before.adapter })
    if ('faults' in parameters) {
      faults.push(...parameters.faults.map(where))
      return item
    }
    const given = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined))
    const titled = {
      task_name: item.task_name || (item.task_name === '' || !before ? (own?.title ?? adapter) : undefined),
    }
    return { ...(before ? {} : defaultsOf(own)), ...given, ...titled, adapter, ...parameters }
  })
  if (faults.length > 0) throw badRequest(faults)
  return withStoredColours(ctx, ready)
}

const defaultsOf = (own: Adapter | undefined): Item => ({
  max_tlp: 'GREEN',
  selected_extract_types: own?.extractTypes ?? [],
})

function usageFaults(ctx: Context, item: Item, own: Adapter | undefined, before: Stored | undefined): string[] {
  const adapter = String(item.adapter).slice(0, 200)
  if (adapter === '') return ['adapter: is required']
  if (before && before.adapter !== adapter)
    return [`adapter: cannot be changed from ${before.adapter}; create another detonator instead`]
  if (!own) {
    const known = adaptersOf(ctx).map(({ name }) => name)
    return item.is_active
      ? [
          `is_active: must be false, because there is no adapter '${adapter}' in this installation, only ${known.join(', ')}`,
        ]
      : []
  }
  const types = (item.selected_extract_types ?? []) as readonly string[]
  const other = types.filter((type) => !own.extractTypes.includes(type))
  if (other.length === 0) return []
  return [`selected_extract_types: ${own.name} does not find ${other.join(', ')}, only ${own.extractTypes.join(', ')}`]
}

/**
 * Creates or updates what belongs to detonators. The first group of the caller sees new sources in full; so does that of the user who first
 * saves a shipped detonator. Saving ends a suspension, and samples that wait are looked at again.
 */
async function keepOwned(ctx: Context, ids: readonly Id[]): Promise<void> {
  const made = await syncOwnedSources(ctx.db, 'detonators', ids)
  await sql`
    insert into group_sources (source, target, allowed_tlp)
    select g.id, s.id, 'RED'
    from groups as g
    cross join sources as s
    join detonators as d on d.source = s.id
    where g.source = ${sightOf(ctx).home}::uuid and d.id = any(${ids}::integer[])
      and (s.id = any(${made}::uuid[])
        or (d.created_by is null and not exists (select from group_sources as a where a.target = s.id)))`.execute(
    ctx.db,
  )
  const { rows } = await sql<{ id: number; parameters: Item }>`
    select id, parameters from detonators where id = any(${ids}::integer[])`.execute(ctx.db)
  const servers = rows.map(({ id, parameters }) => ({ id, servers: serversIn(parameters) }))
  await sql`
    update detonators as d set servers = array(select jsonb_array_elements_text(i.servers))
    from jsonb_to_recordset(${JSON.stringify(servers)}::jsonb) as i(id integer, servers jsonb)
    where d.id = i.id`.execute(ctx.db)
  await circuitOf('detonators').resume(ctx.db, ids)
  await sql`
    update detonations set due_at = now()
    where detonator = any(${ids}::integer[]) and state = 'WAITING' and due_at > now()`.execute(ctx.db)
}
