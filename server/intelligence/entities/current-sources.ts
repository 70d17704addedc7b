import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { visible } from '../../engine/select.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { namesForeignSource } from '../../identity/source-of.ts'
import type { EntityItem } from './compose.ts'

/** The current sources of entities whose item names a source that the caller cannot assign: keeping a source is allowed. */
export async function currentSources(
  ctx: Context,
  resource: Resource,
  items: readonly EntityItem[],
): Promise<(position: number) => readonly string[]> {
  const asked = items.flatMap((item) => (namesForeignSource(ctx, item) ? (item.data.id ?? []) : []))
  if (asked.length === 0) return () => []
  const { rows } = await sql<{ stix_id: string; source: string }>`
    select t.stix_id, s.id as source
    from entities as t join numbered_sources as s on s.number = ${sourceOf(sql`t.vis`)}
    where t.stix_id = any(${asked}::text[]) and ${visible(ctx, resource)}`.execute(ctx.db)
  const sources = new Map(rows.map(({ stix_id, source }) => [stix_id, source]))
  return (position) => {
    const source = sources.get(items[position]?.data.id ?? '')
    return source === undefined ? [] : [source]
  }
}
