import { sql } from 'kysely'
import { notFound } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import type { Context, Resource } from '../../engine/resource.ts'
import { visible } from '../../engine/select.ts'
import { markOutdated } from './outdated.ts'
import { logged } from './store.ts'

/** Tables that say something of an entity, and the column that holds its id. */
const LINKS = [
  ['entity_observables', 'source'],
  ['entity_taxonomies', 'source'],
  ['entity_attachments', 'source'],
  ['entity_versions', 'entity_id'],
  ['dataset_entities', 'target'],
  ['ticket_entities', 'target'],
  ['workspace_entities', 'target'],
] as const

/** Removes entities with all that hangs on them, or, when the caller cannot see one of them, nothing. */
export async function removeEntities(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with gone as (
      delete from entities as t
      where t.id = any(${ids}::uuid[]) and ${visible(ctx, resource)}
      returning t.id
    ), ${logged(ctx, 'delete', sql`gone`)}
    select id from gone`.execute(ctx.db)
  const gone = new Set<Id>(rows.map(({ id }) => id))
  const absent = ids.find((id) => !gone.has(id))
  if (absent !== undefined) throw notFound(absent)
  // After the entities themselves: whoever was writing onto one of them has finished by now.
  const deletes = LINKS.map(
    ([table, column]) => sql`${sql.ref(`of_${table}`)} as (
      delete from ${sql.table(table)} where ${sql.ref(column)} = any(${ids}::uuid[]))`,
  )
  await sql`with ${sql.join(deletes)} select`.execute(ctx.db)
  await removeTheirRelationships(ctx, ids)
}

async function removeTheirRelationships(ctx: Context, ids: readonly Id[]): Promise<void> {
  const { rows } = await sql<{ older: string[] | null }>`
    with gone as (
      delete from relationships as t
      where t.source = any(${ids}::uuid[]) or t.target = any(${ids}::uuid[])
      returning t.id, t.target, t.subtype
    ), noted as (
      insert into changes (user_id, resource, kind, ids)
      select ${ctx.caller.id}::integer, 'relationships', 'delete', array_agg(id::text)
      from gone having count(*) > 0
    )
    select array_agg(target) filter (where subtype = 'stix_update_of') as older from gone`.execute(ctx.db)
  await markOutdated(ctx, rows[0]?.older ?? [])
}
