import { sql } from 'kysely'
import { uuidList } from '../../engine/binary.ts'
import type { Context } from '../../engine/resource.ts'

/** So many bytes of documents are read at a time: in memory they take several times as much. */
const MOST_BYTES = 2 * 1024 * 1024
/** What an observable takes, roughly. */
const PER_OBSERVABLE = 300

/**
 * Splits entities, in their order, into portions that can be held in memory, whatever they have in them and on them. With types,
 * only entities of these are in them.
 */
export async function portionsOf(
  ctx: Context,
  ids: readonly string[],
  types: ReadonlySet<string> | undefined,
): Promise<string[][]> {
  const isWanted = types ? sql`t.type = any(${[...types]}::text[])` : sql`true`
  const { rows } = await sql<{ id: string; bytes: number }>`
    select t.id, pg_column_size(t.data) + pg_column_size(t.meta)
      + ${PER_OBSERVABLE}::integer * (select count(*) from entity_observables as l where l.source = t.id)
      + coalesce((select sum(pg_column_size(k.object)) from stix_objects as k where k.entity_id = t.id), 0) as bytes
    from entities as t
    where t.id = any(${uuidList(ids)}::uuid[]) and ${isWanted}`.execute(ctx.db)
  const bytes = new Map(rows.map((row) => [row.id, Number(row.bytes)]))
  const portions: string[][] = []
  let room = 0
  // What is no longer there is looked for as well, so that it is missed.
  for (const id of types ? ids.filter((each) => bytes.has(each)) : ids) {
    const own = bytes.get(id) ?? 0
    const last = portions.at(-1)
    if (last && own <= room) last.push(id)
    else {
      portions.push([id])
      room = MOST_BYTES
    }
    room -= own
  }
  return portions
}
