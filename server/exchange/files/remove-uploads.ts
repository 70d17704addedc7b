import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import { createdAt } from '../../intelligence/observables/sight.ts'

/** The files to delete, and whether their intelligence is deleted as well. */
export interface Uploads {
  readonly ids: readonly Id[]
  readonly delete_entities: boolean
  readonly delete_extracts: boolean
}

/** The number of deleted objects. */
export interface Removed {
  readonly files: number
  readonly entities: number
  readonly observables: number
}

const REMOVAL_BATCH_SIZE = 5000

/** The files among these that the caller sees, locked until the transaction ends. */
export async function presentFiles(ctx: Context, ids: readonly Id[]): Promise<Id[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id
    from files as t
    where t.id = any(${ids}::integer[]) and ${visible(ctx, resourceOf(ctx, 'files'))}
    order by t.id
    for update of t`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Throws a 404 unless the caller sees all of these files. */
export async function requireFiles(ctx: Context, ids: readonly Id[]): Promise<void> {
  const present = new Set(await presentFiles(ctx, ids))
  const absent = ids.find((id) => !present.has(id))
  if (absent !== undefined) throw notFound(absent)
}

/** Deletes files and, if requested, the intelligence that came only with them, in one transaction. */
export async function removeUploads(ctx: Context, uploads: Uploads): Promise<Removed> {
  const { ids, delete_entities, delete_extracts } = uploads
  if (ids.length === 0) return { files: 0, entities: 0, observables: 0 }
  const entities = delete_entities ? await entitiesOnlyFrom(ctx, ids) : []
  // Before the entities, because most observables are visible through entities.
  const observables = delete_extracts ? await observablesOnlyFrom(ctx, ids, entities) : []
  await removeAll(ctx, 'observables', observables)
  await removeAll(ctx, 'entities', entities)
  if (delete_entities) {
    await removeAll(ctx, 'relationships', await looseRelationshipsOnlyFrom(ctx, ids))
    await reassign(ctx, ids)
  }
  await standard.remove(ctx, resourceOf(ctx, 'files'), ids)
  return { files: ids.length, entities: entities.length, observables: observables.length }
}

/** The entities that came with these files and that no other file contains, locked in the order of all writers. */
async function entitiesOnlyFrom(ctx: Context, ids: readonly Id[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id
    from entities as t
    where t.id in (select l.target from file_entities as l where l.source = any(${ids}::integer[]) and l.is_new)
      and not exists (
        select from file_entities as o where o.target = t.id and o.source <> all(${ids}::integer[]))
      and ${visible(ctx, resourceOf(ctx, 'entities'))}
    order by t.stix_id
    for update of t`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** The observables that came with these files and that neither another file nor a remaining entity has. */
async function observablesOnlyFrom(ctx: Context, ids: readonly Id[], doomed: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with doomed as materialized (select unnest(${uuidList(doomed)}::uuid[]) as id)
    select t.id
    from observables as t
    where (
        t.id in (select l.target from file_observables as l where l.source = any(${ids}::integer[]) and l.is_new)
        -- Observables of its entities are not recorded individually, but are no older than the file.
        or t.id in (
          select o.target
          from file_entities as l
          join files as f on f.id = l.source
          join entity_observables as o on o.source = l.target
          join observables as v on v.id = o.target
          where l.source = any(${ids}::integer[]) and l.is_new and ${createdAt(ctx, 'v')} >= f.created_at)
      )
      and not exists (
        select from entity_observables as e join entities as o on o.id = e.source
        where e.target = t.id and e.source not in (select id from doomed) and not o.is_unified)
      and not exists (
        select from file_observables as o where o.target = t.id and o.source <> all(${ids}::integer[]))
      and ${visible(ctx, resourceOf(ctx, 'observables'))}
    order by t.id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/**
 * The relationships that came with these files and lead to placeholders: nothing else would ever remove them, and a placeholder is
 * removed with its last relationship.
 */
async function looseRelationshipsOnlyFrom(ctx: Context, ids: readonly Id[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id
    from relationships as t
    where t.id in (
        select o.relationship from file_outcomes as o join files as f on f.id = o.owner
        where o.owner = any(${ids}::integer[]) and t.created_at >= f.created_at)
      and not exists (
        select from file_outcomes as o where o.relationship = t.id and o.owner <> all(${ids}::integer[]))
      and exists (select from entities as e where e.id in (t.source, t.target) and e.is_unresolved)
      and ${visible(ctx, resourceOf(ctx, 'relationships'))}
    order by t.id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

async function removeAll(
  ctx: Context,
  collection: 'entities' | 'observables' | 'relationships',
  ids: readonly Id[],
): Promise<void> {
  const resource = resourceOf(ctx, collection)
  for (let from = 0; from < ids.length; from += REMOVAL_BATCH_SIZE) {
    await resource.operations.remove?.(ctx, resource, ids.slice(from, from + REMOVAL_BATCH_SIZE))
  }
}

/** Assigns remaining objects to another file that contains them, as if they had come with that one. */
async function reassign(ctx: Context, ids: readonly Id[]): Promise<void> {
  for (const table of ['file_entities', 'file_observables']) {
    await sql`
      update ${sql.table(table)} as o
      set is_new = true
      from ${sql.table(table)} as l
      where l.source = any(${ids}::integer[]) and l.is_new
        and o.target = l.target and o.source <> all(${ids}::integer[])`.execute(ctx.db)
  }
}
