import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { uuidList } from '../../fast/binary-arrays.ts'

/** How many bytes of documents are read at a time: in memory they take several times as much. */
const MAX_PORTION_BYTES = 2 * 1024 * 1024
/** The approximate size of an observable. */
const BYTES_PER_OBSERVABLE = 300

/**
 * Splits entities, in order, into portions that fit into memory with their observables and kept objects. With types, only entities of
 * these types are included.
 */
export async function portionsOf(
  ctx: Context,
  ids: readonly string[],
  types: ReadonlySet<string> | undefined,
): Promise<string[][]> {
  const isWanted = types ? sql`t.type = any(${[...types]}::text[])` : sql`true`
  const { rows } = await sql<{ id: string; bytes: number }>`
    select t.id, pg_column_size(t.data) + pg_column_size(t.meta)
      + ${BYTES_PER_OBSERVABLE}::integer * (select count(*) from entity_observables as l where l.source = t.id)
      + coalesce((select sum(pg_column_size(k.object)) from stix_objects as k where k.entity_id = t.id), 0) as bytes
    from entities as t
    where t.id = any(${uuidList(ids)}::uuid[]) and ${isWanted}`.execute(ctx.db)
  const bytes = new Map(rows.map((row) => [row.id, Number(row.bytes)]))
  const portions: string[][] = []
  let left = 0
  // Deleted entities are included, so that the reader notices that they are missing.
  for (const id of types ? ids.filter((each) => bytes.has(each)) : ids) {
    const own = bytes.get(id) ?? 0
    const last = portions.at(-1)
    if (last && own <= left) last.push(id)
    else {
      portions.push([id])
      left = MAX_PORTION_BYTES
    }
    left -= own
  }
  return portions
}
