import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'

/** The sorted ids of entities that were found at one moment, at 16 bytes each because there may be millions. */
export interface Snapshot {
  readonly count: number
  slice(from: number, to: number): string[]
  has(id: string): boolean
}

const UUID_BYTES = 16

/** Keeps the value of one row at a size that is read at once. */
const IDS_PER_ROW = 100_000

/** Finds entities without the usual statement timeout, which it lifts for the rest of the transaction. */
export async function takeSnapshot(ctx: Context, isWanted: RawBuilder<SqlBool>): Promise<Snapshot> {
  await sql`set local statement_timeout = '10min'`.execute(ctx.db)
  return findIds(ctx, isWanted)
}

/** Finds entities within the usual statement timeout. */
export const findIds = ({ db }: Pick<Context, 'db'>, isWanted: RawBuilder<SqlBool>): Promise<Snapshot> =>
  idsIn(db, sql`select t.id from entities as t where ${isWanted}`)

/** Reads the ids that a query returns. */
export async function idsIn(db: Context['db'], query: RawBuilder<unknown>): Promise<Snapshot> {
  const { rows } = await sql<{ ids: Buffer }>`
    select string_agg(uuid_send(found.id), ''::bytea order by found.id) as ids
    from (select q.id, (row_number() over (order by q.id) - 1) / ${IDS_PER_ROW}::integer as piece from (${query}) as q) as found
    group by found.piece
    order by found.piece`.execute(db)
  return snapshotOf(Buffer.concat(rows.map(({ ids }) => ids)))
}

function snapshotOf(all: Buffer): Snapshot {
  const count = all.length / UUID_BYTES
  const idAt = (n: number) =>
    all.toString('hex', n * UUID_BYTES, (n + 1) * UUID_BYTES).replace(UUID_DIGITS, '$1-$2-$3-$4-$5')
  return {
    count,
    slice: (from, to) => Array.from({ length: Math.min(to, count) - from }, (_, i) => idAt(from + i)),
    has: (id) => {
      const wanted = Buffer.from(id.replaceAll('-', ''), 'hex')
      for (let low = 0, high = count; low < high; ) {
        const middle = (low + high) >>> 1
        const order = all.compare(wanted, 0, UUID_BYTES, middle * UUID_BYTES, (middle + 1) * UUID_BYTES)
        if (order === 0) return true
        if (order < 0) low = middle + 1
        else high = middle
      }
      return false
    },
  }
}

const UUID_DIGITS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/
