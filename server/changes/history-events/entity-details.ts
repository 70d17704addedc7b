import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Context, Item } from '../../engine/context.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { metaAsSent } from '../../intelligence/entities/meta.ts'
import type { Details, Event } from './show.ts'

interface State {
  readonly data: Item
  readonly meta: Item
  readonly source: string | null
}

interface Compared {
  readonly event: string
  readonly before: State | null
  readonly after: State
}

/**
 * What changed in entities. The log has only their ids, so consecutive versions are compared, if the caller may see both. A version
 * has the time of the last write to it, which is never earlier than that of the event that created it: the version of an event is the
 * first one that is not older than the event.
 */
export async function entityDetails(ctx: Context, events: readonly Event[]): Promise<Map<unknown, Details>> {
  const asked = events.filter(({ resource, kind, changes }) => resource === 'entities' && !changes && kind !== 'delete')
  if (asked.length === 0) return new Map()
  const source = sql`(select s.id from numbered_sources as s where s.number = ${sourceOf(sql`vis`)})`
  const state = (alias: string) => sql`
    jsonb_build_object('data', ${sql.ref(`${alias}.data`)}, 'meta', ${sql.ref(`${alias}.meta`)}, 'source', ${sql.ref(`${alias}.source`)})`
  const { rows } = await sql<Compared>`
    select i.event, ${state('a')} as after, case when b.version is not null then ${state('b')} end as before
    from unnest(
      ${asked.map(({ id }) => id)}::uuid[],
      ${asked.map(({ object }) => object)}::uuid[],
      ${asked.map(({ at }) => at)}::timestamptz[],
      ${asked.map(({ kind }) => kind)}::text[]
    ) as i(event, entity, at, kind)
    cross join lateral (
      select s.version, s.vis, s.at, s.data, s.meta, ${source} as source
      from (
        select version, vis, at, data, meta from entity_versions where entity_id = i.entity
        union all
        select t.version, t.vis, t.last_updated_at, t.data, ${metaAsSent} from entities as t where t.id = i.entity
      ) as s
      where s.at >= i.at
      order by s.version
      limit 1
    ) as a
    left join lateral (
      select v.version, v.vis, v.data, v.meta, ${source} as source
      from entity_versions as v
      where v.entity_id = i.entity and v.version < a.version
      order by v.version desc
      limit 1
    ) as b on true
    where ${holdsKey(ctx, sql`a.vis`)} and (b.version is null or ${holdsKey(ctx, sql`b.vis`)})
      -- The initial state of a new entity is unknown if the version was overwritten since.
      and (i.kind = 'update' or (a.at = i.at and b.version is null))`.execute(ctx.db)
  return new Map(rows.map(({ event, before, after }) => [event, compare(flat(ctx, before), flat(ctx, after))]))
}

/** Flattens an entity into fields that are compared individually. */
function flat({ baseUrl }: Context, state: State | null): Map<string, unknown> {
  if (!state) return new Map()
  const { taxonomies, attacks, ...meta } = state.meta as Item & { taxonomies?: number[]; attacks?: string[] }
  const whole = {
    ...meta,
    taxonomies: taxonomies?.map((id) => `${baseUrl}/api/v2/taxonomies/${id}`),
    attacks: attacks?.map((id) => `${baseUrl}/api/v2/attacks/${id}`),
  }
  const named = (prefix: string, item: Item) =>
    Object.entries(item).map(([name, value]): [string, unknown] => [`${prefix}.${name}`, value ?? null])
  // In the format of links in the log: removed ones before, added ones after.
  const sources = state.source ? [state.source] : []
  return new Map([...named('data', state.data), ...named('meta', whole), ['sources', sources]])
}

function compare(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): Details {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const different = names.filter((name) => !isDeepStrictEqual(before.get(name) ?? null, after.get(name) ?? null))
  return Object.fromEntries(different.map((name) => [name, [before.get(name) ?? null, after.get(name) ?? null]]))
}
