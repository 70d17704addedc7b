import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { notFound } from '../../engine/errors.ts'
import { deletionLogged } from '../../engine/log.ts'
import type { Id } from '../../engine/reference.ts'
import { visible } from '../../engine/select.ts'
import { markOutdated } from './outdated.ts'
import { deleteReferences, removePlaceholders } from './placeholder-references.ts'

/** Tables with rows of an entity, and the column that has its id. */
const LINKS = [
  ['entity_observables', 'source'],
  ['entity_taxonomies', 'source'],
  ['entity_attachments', 'source'],
  ['entity_versions', 'entity_id'],
  ['stix_objects', 'entity_id'],
  ['dataset_entities', 'target'],
  ['ticket_entities', 'target'],
  ['workspace_entities', 'target'],
  ['file_entities', 'target'],
  ['discovered_entities', 'target'],
  ['entity_rule_effects', 'entity'],
  ['feed_entities', 'entity'],
  ['consolidation_exemptions', 'entity'],
] as const

/** The key that lets a caller see an entity. */
const entityKeys = (alias: string): RawBuilder<unknown> =>
  sql`jsonb_build_array(jsonb_build_array(${sql.ref(`${alias}.vis`)}))`

/** Deletes entities with everything that belongs to them, or nothing if the caller cannot see one of them. */
export async function removeEntities(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<void> {
  const gone = new Set<Id>(await removeRows(ctx, resource, ids, visible(ctx, resource)))
  const absent = ids.find((id) => !gone.has(id))
  if (absent !== undefined) throw notFound(absent)
}

/** Deletes those of the entities `t` that meet a condition, with everything that belongs to them. Returns their ids. */
export async function removeRows(
  ctx: Context,
  resource: Resource,
  wanted: readonly Id[],
  isMeant: RawBuilder<SqlBool>,
): Promise<readonly string[]> {
  // Locked in the order of all writers, with the placeholders that may be deleted as well: otherwise two deletes could deadlock.
  const { rows } = await sql<Gone>`
    with seen as materialized (
      select t.id from entities as t where t.id = any(${wanted}::uuid[]) and ${isMeant}
    ), wanted as (
      select id from seen
      union
      select p.id from awaited_entities as a join entities as p on p.stix_id = a.stix_id and p.is_unresolved
      where a.entity in (select id from seen)
      union
      select p.id from relationships as r join entities as p on p.id = r.target and p.is_unresolved
      where r.source in (select id from seen)
      union
      select p.id from relationships as r join entities as p on p.id = r.source and p.is_unresolved
      where r.target in (select id from seen)
    ), locked as materialized (
      select t.id from entities as t join wanted on wanted.id = t.id
      order by t.stix_id
      for update of t
    ), gone as (
      delete from entities as t
      where t.id in (select id from locked) and t.id = any(${wanted}::uuid[]) and ${isMeant}
      returning t.id, t.vis, ${entityKeys('t')} as keys
    ), ${deletionLogged(ctx, resource, sql`gone`)}
    select id, vis from gone`.execute(ctx.db)
  const ids = rows.map(({ id }) => id)
  // After the entities themselves, because transactions that write to one of them have ended by then.
  const deletes = LINKS.map(
    ([table, column]) => sql`${sql.ref(`of_${table}`)} as (
      delete from ${sql.table(table)} where ${sql.ref(column)} = any(${ids}::uuid[]))`,
  )
  await sql`with ${sql.join(deletes)} select`.execute(ctx.db)
  const others = await removeTheirRelationships(ctx, rows)
  await removePlaceholders(ctx, { ids: others, stixIds: await deleteReferences(ctx, ids) })
  return ids
}

interface Gone {
  readonly id: string
  readonly vis: number
}

/** Returns the entities at the other ends. */
async function removeTheirRelationships(ctx: Context, entities: readonly Gone[]): Promise<readonly string[]> {
  const ids = entities.map(({ id }) => id)
  const { rows } = await sql<{ older: string[] | null; others: string[] | null }>`
    with locked as materialized (
      select t.id from relationships as t
      where t.source = any(${ids}::uuid[]) or t.target = any(${ids}::uuid[])
      order by t.id
      for update of t
    ), gone as (
      delete from relationships as t
      where t.id in (select id from locked)
      returning t.id, t.source, t.target, t.subtype, t.vis
    ), ends as (
      select id, vis from unnest(${ids}::uuid[], ${entities.map(({ vis }) => vis)}::integer[]) as i(id, vis)
      union all
      select e.id, e.vis from entities as e where e.id in (select source from gone union select target from gone)
    ), keyed as (
      select r.id, jsonb_build_array(to_jsonb(r.vis), jsonb_build_array(s.vis), jsonb_build_array(t.vis)) as keys
      from gone as r left join ends as s on s.id = r.source left join ends as t on t.id = r.target
    ), ${deletionLogged(ctx, { collection: 'relationships' }, sql`keyed`)}
    select array_agg(target) filter (where subtype = 'stix_update_of') as older,
      (select array_agg(distinct e.id) from gone as g join entities as e on e.id in (g.source, g.target)
        where e.is_unresolved) as others
    from gone`.execute(ctx.db)
  await markOutdated(ctx, rows[0]?.older ?? [])
  return rows[0]?.others ?? []
}
