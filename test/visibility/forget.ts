import { type Kysely, sql } from 'kysely'
import { sourceOf } from '../../server/identity/access/visibility.ts'
import { changeUnseenReports } from './forget-detonating.ts'
import { replaceUnseenSubjects } from './forget-enriching.ts'
import { forgetHistory } from './forget-history.ts'
import { changeUnseenDetails, forgetNodes, unseenHoldings } from './forget-holdings.ts'
import { type Instance, id } from './instance.ts'
import { colourAt, type Seen } from './model.ts'
import type { Entity, Viewer } from './world.ts'

/** An instance, and the part of it that a viewer sees. */
export interface Partly {
  readonly viewer: Viewer
  readonly instance: Instance
  readonly seen: Seen
}

/** Rows of a table that have one of these ids in a column. */
export interface Rows {
  readonly table: string
  readonly column: string
  readonly ids: readonly string[]
}

/** Tables with rows about entities, and the column that holds the id of the entity. */
const OF_ENTITIES = [
  ['entities', 'id'],
  ['entity_versions', 'entity_id'],
  ['entity_observables', 'source'],
  ['entity_taxonomies', 'source'],
  ['entity_attachments', 'source'],
  ['dataset_entities', 'target'],
  ['ticket_entities', 'target'],
  ['workspace_entities', 'target'],
  ['attack_analysis_entities', 'target'],
  ['relationships', 'source'],
  ['relationships', 'target'],
] as const

/** Rows about unseen objects, of entities only those that meet a condition. */
export function unseenRows(instances: readonly Partly[], isWanted: (entity: Entity) => boolean = () => true): Rows[] {
  const unseen = (listOf: (world: Instance['world']) => readonly { readonly name: string }[]) =>
    instances.flatMap(({ instance, seen }) =>
      listOf(instance.world).flatMap(({ name }) => (seen.names.has(name) ? [] : id(instance, name))),
    )
  const entities = unseen((world) => [...world.entities.filter(isWanted), ...world.stubs])
  const observables = unseen((world) => world.observables)
  const datasets = unseen((world) => world.datasets)
  return [
    ...unseenHoldings(instances),
    ...OF_ENTITIES.map(([table, column]) => ({ table, column, ids: entities })),
    { table: 'relationships', column: 'id', ids: unseen(({ relationships }) => relationships) },
    { table: 'observable_records', column: 'observable', ids: observables },
    { table: 'entity_observables', column: 'target', ids: observables },
    { table: 'observables', column: 'id', ids: observables },
    { table: 'attachments', column: 'id', ids: unseen(({ attachments }) => attachments) },
    { table: 'attack_analysis_datasets', column: 'target', ids: datasets },
    { table: 'datasets', column: 'id', ids: datasets },
    { table: 'tickets', column: 'id', ids: unseen(({ tickets }) => tickets) },
    { table: 'workspaces', column: 'id', ids: unseen(({ workspaces }) => workspaces) },
  ]
}

/** Removes everything unseen as if it had never existed. This is plain SQL, so that no code of the product decides what to remove. */
export async function forgetUnseen(db: Kysely<unknown>, twins: readonly Partly[]): Promise<void> {
  await replaceUnseenSubjects(db, twins)
  for (const { table, column, ids } of unseenRows(twins)) {
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)}::text = any(${ids}::text[])`.execute(db)
  }
  await changeVersions(db, twins)
  await forgetSources(db, twins)
  await changeUnseenDetails(db, twins)
  await changeUnseenReports(db, twins)
  await forgetNodes(db, twins)
  await forgetHistory(db, twins)
  // Without the relationship that says so, an entity is no longer outdated.
  await sql`
    update entities as t set is_outdated = false
    where t.is_outdated and not exists (
      select from relationships as r where r.target = t.id and r.subtype = 'stix_update_of')`.execute(db)
}

/** Replaces unseen states of entities. Their number remains, because the version number of an entity reveals it anyway. */
async function changeVersions(db: Kysely<unknown>, twins: readonly Partly[]): Promise<void> {
  const versions = twins.flatMap(({ instance, seen }) =>
    instance.world.entities.flatMap(({ name, states }) =>
      states.flatMap(({ source }, i) =>
        seen.allows(source, colourAt(states, i)) ? [] : [`${id(instance, name)} ${i + 1}`],
      ),
    ),
  )
  await sql`
    update entity_versions set data = '{"type": "tool", "title": "Other"}', meta = '{"tags": ["other"]}'
    where entity_id || ' ' || version = any(${versions}::text[])`.execute(db)
}

/** Removes sources that make nothing visible to the viewer. */
async function forgetSources(db: Kysely<unknown>, twins: readonly Partly[]): Promise<void> {
  const ofObservables = twins.flatMap(({ instance, seen }) =>
    instance.world.observables.flatMap(({ name, sources }) =>
      sources.flatMap((source) => (seen.allows(source) ? [] : [`${id(instance, name)} ${id(instance, source)}`])),
    ),
  )
  await sql`
    delete from observable_records as r using sources as s
    where s.number = ${sourceOf(sql`r.vis`)} and r.observable || ' ' || s.id = any(${ofObservables}::text[])`.execute(
    db,
  )
  const ofRelationships = twins.flatMap(({ instance, seen }) =>
    instance.world.relationships.flatMap(({ name, sources, colour }) =>
      sources.flatMap((source) =>
        seen.allows(source, colour) ? [] : [`${id(instance, name)} ${id(instance, source)}`],
      ),
    ),
  )
  await sql`
    update relationships as t
    set vis = array(
      select k.key
      from unnest(t.vis) with ordinality as k(key, n) join sources as s on s.number = ${sourceOf(sql`k.key`)}
      where t.id || ' ' || s.id <> all(${ofRelationships}::text[])
      order by k.n)`.execute(db)
}
