import { sql } from 'kysely'
import type { Context } from '../engine/context.ts'
import { textList, uuidList } from '../fast/binary-arrays.ts'

/** The times and tags that an imported object had at its producer. */
export interface Origin {
  readonly id: string
  readonly created?: string | undefined
  readonly modified?: string | undefined
  readonly tags?: readonly string[] | undefined
}

/**
 * The creation and modification times of the row `t` with its origin `o`. Until the object is changed locally, these are the times of
 * its producer. A local version is always later than the imported one.
 */
export const lifetime = sql`coalesce(o.created, t.created_at) as created, case
  when o.modified is null then t.last_updated_at
  when o.at = t.last_updated_at then o.modified
  else greatest(t.last_updated_at, o.modified + interval '1 millisecond') end as modified`

const TABLES = { entities: 'entity_origins', relationships: 'relationship_origins' } as const

/** Stores the origins of objects that were just written. The first known creation time is kept. */
export async function noteOrigins(
  ctx: Context,
  table: 'entities' | 'relationships',
  origins: readonly Origin[],
): Promise<void> {
  const list = <T>(pick: (origin: Origin) => T): T[] => origins.map(pick)
  if (origins.length === 0) return
  await sql`
    insert into ${sql.table(TABLES[table])} as o (source, created, modified, at, tags)
    select t.id, i.created::timestamptz, i.modified::timestamptz, t.last_updated_at,
      array(select jsonb_array_elements_text(i.tags::jsonb))
    from unnest(
      ${uuidList(list(({ id }) => id))}::uuid[],
      ${textList(list(({ created = null }) => created))}::text[],
      ${textList(list(({ modified = null }) => modified))}::text[],
      ${textList(list(({ tags = [] }) => JSON.stringify(tags)))}::text[]) as i(id, created, modified, tags)
    join ${sql.table(table)} as t on t.id = i.id
    order by t.id
    on conflict (source) do update
    set created = coalesce(o.created, excluded.created), modified = excluded.modified, at = excluded.at, tags = excluded.tags
  `.execute(ctx.db)
}
