import { sql } from 'kysely'
import type { Context, Item } from '../../engine/context.ts'
import { documentList, textList, uuidList } from '../../fast/binary-arrays.ts'

/** An object of a document that is stored with an entity, and visible to those who can see the entity. */
export interface KeptWith {
  readonly entity: string
  readonly id: string
  readonly object: Item
}

/** Stores objects of documents with their entities. Returns the entities for which an object was added or changed. */
export async function keepObjects(ctx: Context, kept: readonly KeptWith[]): Promise<Set<string>> {
  if (kept.length === 0) return new Set()
  // An object may occur twice: the last one counts.
  const distinct = [...new Map(kept.map((each) => [`${each.entity} ${each.id}`, each])).values()]
  const { rows } = await sql<{ entity_id: string }>`
    insert into stix_objects as t (entity_id, stix_id, object)
    select * from unnest(
      ${uuidList(distinct.map(({ entity }) => entity))}::uuid[],
      ${textList(distinct.map(({ id }) => id))}::text[],
      ${documentList(distinct.map(({ object }) => JSON.stringify(object)))}::jsonb[]) as i(entity_id, stix_id, object)
    order by entity_id, stix_id
    on conflict (entity_id, stix_id) do update set object = excluded.object where t.object <> excluded.object
    returning t.entity_id`.execute(ctx.db)
  return new Set(rows.map(({ entity_id }) => entity_id))
}
