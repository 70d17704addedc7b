import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/resource.ts'

/** The ids of entities as they were found at one moment, in their order: 16 bytes each, because there may be millions. */
export interface Snapshot {
  readonly count: number
  slice(from: number, to: number): string[]
  has(id: string): boolean
}

const BYTES = 16
/** How many ids come in one row: no value should be too long to be read at once. */
const ROW = 100_000

/** Finds entities, however long it takes; in a transaction, whose limit on the time of a statement it lifts. */
export async function takeSnapshot(ctx: Context, isWanted: RawBuilder<SqlBool>): Promise<Snapshot> {
  await sql`set local statement_timeout = '10min'`.execute(ctx.db)
  return findIds(ctx, isWanted)
}

/** The same in the time that any statement has. */
export const findIds = ({ db }: Pick<Context, 'db'>, isWanted: RawBuilder<SqlBool>): Promise<Snapshot> =>
  idsIn(db, sql`select t.id from entities as t where ${isWanted}`)

/** The ids that a query gives, each once, whatever it takes them from. */
export async function idsIn(db: Context['db'], query: RawBuilder<unknown>): Promise<Snapshot> {
  const { rows } = await sql<{ ids: Buffer }>`
    select string_agg(uuid_send(found.id), ''::bytea order by found.id) as ids
    from (select q.id, (row_number() over (order by q.id) - 1) / ${ROW}::integer as piece from (${query}) as q) as found
    group by found.piece
    order by found.piece`.execute(db)
  return snapshotOf(Buffer.concat(rows.map(({ ids }) => ids)))
}

function snapshotOf(all: Buffer): Snapshot {
  const count = all.length / BYTES
  const idAt = (n: number) => all.toString('hex', n * BYTES, (n + 1) * BYTES).replace(FORM, '$1-$2-$3-$4-$5')
  return {
    count,
    slice: (from, to) => Array.from({ length: Math.min(to, count) - from }, (_, i) => idAt(from + i)),
    has: (id) => {
      const wanted = Buffer.from(id.replaceAll('-', ''), 'hex')
      for (let low = 0, high = count; low < high; ) {
        const middle = (low + high) >>> 1
        const order = all.compare(wanted, 0, BYTES, middle * BYTES, (middle + 1) * BYTES)
        if (order === 0) return true
        if (order < 0) low = middle + 1
        else high = middle
      }
      return false
    },
  }
}

const FORM = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/
