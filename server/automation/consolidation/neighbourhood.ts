import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import { isOfKind } from './key-kind.ts'

/** An entity that is compared with others, or that was. */
export interface Neighbour {
  readonly entity: string
  /** Whether it may belong to a group of the entities that were asked for. Otherwise it is only suggested for one. */
  readonly is_core: boolean
  /** Null if it takes no part any more. */
  readonly subject: {
    readonly stix_id: string
    readonly type: string
    readonly policy: number | null
    readonly source: number
    readonly title: string
  } | null
  readonly keys: readonly string[]
  /** Those of its keys that are switched off. */
  readonly off: readonly string[]
  readonly is_exempt: boolean
  /** The unified entity that it contributes to. */
  readonly membership: { readonly unified: string; readonly stix_id: string; readonly is_assigned: boolean } | null
}

/** More are not read at a time. */
export const MAX_NEIGHBOURS = 50_000

const isWeak = (key: RawBuilder<unknown>) => isOfKind(key, 'name')

const isOn = (key: RawBuilder<unknown>) => sql`(not exists (select from switched_off_keys as x where x.key = ${key}))`

/** The entities that share a key with an entity, if the key meets a condition. */
const sharing = (entity: RawBuilder<unknown>, isMeant: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select unnest(array(select o.entity from match_keys as o where o.key = k.key))
  from match_keys as k
  where k.entity = ${entity} and ${isMeant} and ${isOn(sql`k.key`)}`

// Without statistics, which a young table does not have, a join of keys with themselves would read the whole table for each entity.
// Subqueries that give one value probe an index.
const joined = (entity: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  unnest(array(
    ${sharing(entity, sql`not ${isWeak(sql`k.key`)}`)}
    union all
    select o.entity from contributors as m join contributors as o on o.unified = m.unified where m.entity = ${entity}))`

const similar = (entity: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  unnest(array(${sharing(entity, isWeak(sql`k.key`))}))`

/**
 * Everything that may have to do with how some entities are grouped: what they are connected with through keys and through unified entities,
 * also over several steps; and what is similar to these, with its own connections. The members of keys that some entities lost, and of keys
 * that were switched, are included. An entity with keys of its own alone need not be asked for.
 */
export async function readNeighbourhood(
  { db }: Pick<Context, 'db'>,
  entities: readonly string[],
  keys: { readonly lost: readonly string[]; readonly switched: readonly string[] },
): Promise<readonly Neighbour[]> {
  if (entities.length + keys.lost.length + keys.switched.length === 0) return []
  const { rows } = await sql<Neighbour>`
    with recursive core(entity) as (
      (
        select * from unnest(${uuidList(entities)}::uuid[])
        union
        select k.entity from match_keys as k
        where k.key = any(${keys.lost}::text[]) and not ${isWeak(sql`k.key`)} and ${isOn(sql`k.key`)}
        union
        select k.entity from match_keys as k where k.key = any(${keys.switched}::text[])
      )
      union
      select ${joined(sql`c.entity`)} from core as c
    ), found as materialized (
      select entity from core limit ${MAX_NEIGHBOURS}
    ), near as materialized (
      select distinct s.entity
      from (select ${similar(sql`f.entity`)} as entity from found as f) as s
      where s.entity not in (select entity from found)
    ), around(entity) as (
      select entity from near
      union
      select ${joined(sql`a.entity`)} from around as a
    ), everything as materialized (
      select entity, true as is_core from found
      union all
      (select entity, false from around limit ${MAX_NEIGHBOURS})
    )
    select a.entity, a.is_core,
      (select to_jsonb(s) - 'entity' from match_subjects as s where s.entity = a.entity) as subject,
      array(select k.key from match_keys as k where k.entity = a.entity) as keys,
      array(select k.key from match_keys as k where k.entity = a.entity and not ${isOn(sql`k.key`)}) as off,
      exists (select from consolidation_exemptions as x where x.entity = a.entity) as is_exempt,
      (
        select jsonb_build_object('unified', m.unified, 'is_assigned', m.is_assigned,
          'stix_id', (select u.stix_id from entities as u where u.id = m.unified))
        from contributors as m where m.entity = a.entity
      ) as membership
    from everything as a`.execute(db)
  return rows
}
