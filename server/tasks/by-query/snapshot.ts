import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/resource.ts'

/** The ids of entities as they were found at one moment, whatever becomes of them: 16 bytes each, because there may be millions. */
export interface Snapshot {
  readonly count: number
  slice(from: number, to: number): string[]
}

const BYTES = 16
/** How many ids come in one row: no value should be too long to be read at once. */
const ROW = 100_000

/** Finds entities, however long it takes; in a transaction, whose limit on the time of a statement it lifts. */
export async function takeSnapshot(ctx: Context, isWanted: RawBuilder<SqlBool>): Promise<Snapshot> {
  await sql`set local statement_timeout = '10min'`.execute(ctx.db)
  const { rows } = await sql<{ ids: Buffer }>`
    select string_agg(uuid_send(found.id), ''::bytea order by found.id) as ids
    from (
      select t.id, (row_number() over (order by t.id) - 1) / ${ROW}::integer as piece
      from entities as t
      where ${isWanted}
    ) as found
    group by found.piece
    order by found.piece`.execute(ctx.db)
  const all = Buffer.concat(rows.map(({ ids }) => ids))
  const idAt = (n: number) => all.toString('hex', n * BYTES, (n + 1) * BYTES).replace(FORM, '$1-$2-$3-$4-$5')
  const count = all.length / BYTES
  return { count, slice: (from, to) => Array.from({ length: Math.min(to, count) - from }, (_, i) => idAt(from + i)) }
}

const FORM = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/
