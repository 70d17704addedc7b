import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { integerList, uuidList } from '../../fast/binary-arrays.ts'
import type { ShippedObservable, ShippedSource } from '../../formats/shipment.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { asSeen, type Seen } from '../../intelligence/observables/sight.ts'
import { type Configuration, isWantedObservable, mayGoOut } from './configuration.ts'
import type { Names } from './names.ts'

type Row = Pick<ShippedObservable, 'id' | 'type' | 'value' | 'link_type'> & {
  readonly entity: string
  readonly seen: Seen
}

/** Reads the observables that are exported with entities. */
export interface ObservableReader {
  read(ctx: Context, entities: readonly string[], names: Names): Promise<Map<string, ShippedObservable[]>>
}

/** How many observables are cached with their sources, because entities share observables. */
const MAX_CACHED = 20_000

const NONE: readonly string[] = []

/** Creates a reader that follows a content configuration. */
export function openObservables(configuration: Configuration): ObservableReader {
  const sources = new Map<number, readonly string[]>()
  /** Observables with the same sources share one list. */
  const lists = new Map<string, readonly string[]>()
  const listOf = (text: string): readonly string[] => {
    const list = lists.get(text) ?? text.split(' ')
    if (lists.size < MAX_CACHED) lists.set(text, list)
    return list
  }

  async function learnSources(ctx: Context, ids: readonly number[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !sources.has(id))
    if (unknown.length === 0) return
    if (sources.size > MAX_CACHED) {
      const kept = new Set(ids)
      for (const id of sources.keys()) if (!kept.has(id)) sources.delete(id)
    }
    for (const id of unknown) sources.set(id, NONE)
    for (const row of await sourcesOf(ctx, configuration, unknown)) sources.set(row.id, listOf(row.sources))
  }

  return {
    read: async (ctx, entities, names) => {
      if (!configuration.observables.include) return new Map()
      const { rows } = await sql<Row>`
        select l.source as entity, l.link_type, o.id, o.type, o.value,
          ${asSeen(ctx, 'o', (vis) => mayGoOut(configuration, vis))} as seen
        from entity_observables as l join observables as o on o.id = l.target
        where l.source = any(${uuidList(entities)}::uuid[]) and ${isWantedObservable(ctx, configuration)}
        order by l.source, o.value, o.type`.execute(ctx.db)
      const ids = rows.map(({ id }) => id)
      await learnSources(ctx, ids)
      await names.learn(ctx, new Set([...new Set(ids.map((id) => sources.get(id) ?? NONE))].flat()), [])
      const shippedSources = new Map<readonly string[], readonly ShippedSource[]>()
      const shippedOf = (list: readonly string[]): readonly ShippedSource[] => {
        const known = shippedSources.get(list) ?? names.sources(list)
        shippedSources.set(list, known)
        return known
      }
      const found = new Map<string, ShippedObservable[]>()
      for (const { entity, seen, ...observable } of rows) {
        const { created_at, last_updated_at, maliciousness } = seen
        const told = { ...observable, meta: { maliciousness }, created_at, last_updated_at }
        const shipped = { ...told, sources: shippedOf(sources.get(observable.id) ?? NONE) }
        const list = found.get(entity)
        if (list) list.push(shipped)
        else found.set(entity, [shipped])
      }
      return found
    },
  }
}

/** The sources of observables as the API shows them, without those of entities that are not exported. */
async function sourcesOf(ctx: Context, configuration: Configuration, ids: readonly number[]) {
  const wanted = integerList(ids)
  const { rows } = await sql<{ id: number; sources: string }>`
    select f.id, string_agg(f.source::text, ' ' order by f.source) as sources
    from (
      select r.observable as id, s.id as source
      from observable_records as r join sources as s on s.number = ${sourceOf(sql`r.vis`)}
      where r.observable = any(${wanted}::integer[]) and ${holdsKey(ctx, sql`r.vis`)}
        and ${mayGoOut(configuration, sql`r.vis`)}
      union
      select v.target, s.id
      from entity_observables as v join entities as e on e.id = v.source join sources as s on s.number = ${sourceOf(sql`e.vis`)}
      where v.target = any(${wanted}::integer[]) and not e.is_unified and ${holdsKey(ctx, sql`e.vis`)}
        and ${mayGoOut(configuration, sql`e.vis`)}
    ) as f
    group by f.id`.execute(ctx.db)
  return rows
}
