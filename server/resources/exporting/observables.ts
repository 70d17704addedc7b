import { sql } from 'kysely'
import { holdsKey, seesSource } from '../../auth/sight.ts'
import { integerList, uuidList } from '../../engine/binary.ts'
import type { Context } from '../../engine/resource.ts'
import type { ShippedObservable } from '../../formats/shipment.ts'
import { type Configuration, isBelowCeiling, isWantedObservable } from './configuration.ts'
import type { Names } from './names.ts'

type Row = Omit<ShippedObservable, 'sources'> & { readonly entity: string }

/** Reads the observables of entities that go out with them. */
export interface ObservableReader {
  read(ctx: Context, entities: readonly string[], names: Names): Promise<Map<string, ShippedObservable[]>>
}

/** So many observables are remembered with their sources: what many entities share is looked up once. */
const REMEMBERED = 20_000

/** A reader that leaves out what the configuration does. */
export function openObservables(configuration: Configuration): ObservableReader {
  const sources = new Map<number, readonly string[]>()

  async function learnSources(ctx: Context, ids: readonly number[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !sources.has(id))
    if (unknown.length === 0) return
    if (sources.size > REMEMBERED) {
      const kept = new Set(ids)
      for (const id of sources.keys()) if (!kept.has(id)) sources.delete(id)
    }
    for (const row of await sourcesOf(ctx, configuration, unknown)) sources.set(row.id, row.sources)
  }

  return {
    read: async (ctx, entities, names) => {
      if (!configuration.observables.include) return new Map()
      const { rows } = await sql<Row>`
        select l.source as entity, l.link_type, o.id, o.type, o.value, o.meta, o.created_at, o.last_updated_at
        from entity_observables as l join observables as o on o.id = l.target
        where l.source = any(${uuidList(entities)}::uuid[]) and ${isWantedObservable(configuration)}
        order by l.source, o.id`.execute(ctx.db)
      const ids = rows.map(({ id }) => id)
      await learnSources(ctx, ids)
      await names.learn(ctx, new Set(ids.flatMap((id) => sources.get(id) ?? [])), [])
      const found = new Map<string, ShippedObservable[]>()
      for (const { entity, ...observable } of rows) {
        const shipped = { ...observable, sources: names.sources(sources.get(observable.id) ?? []) }
        const list = found.get(entity)
        if (list) list.push(shipped)
        else found.set(entity, [shipped])
      }
      return found
    },
  }
}

/** The sources of observables, as their list answers them, but not those of entities that are kept back. */
async function sourcesOf(ctx: Context, configuration: Configuration, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; sources: string[] }>`
    select i.id, array(
      select v.target from observable_sources as v
      where v.source = i.id and ${seesSource(ctx, sql`v.target`)}
      union
      select s.id from sources as s where s.number in (
        select e.vis >> 3
        from entity_observables as v join entities as e on e.id = v.source
        where v.target = i.id and ${holdsKey(ctx, sql`e.vis`)} and ${isBelowCeiling(configuration, sql`e.vis`)})
      order by 1) as sources
    from unnest(${integerList(ids)}::integer[]) as i(id)`.execute(ctx.db)
  return rows
}
