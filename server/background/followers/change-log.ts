import { type Kysely, sql } from 'kysely'
import type { Collection } from '../../collections.ts'
import type { Cause } from '../../engine/cause.ts'
import { type Position, START } from './position.ts'

/** One row of the log of changes, or the part of it that is read at a time. */
export interface Change {
  readonly id: number
  readonly at: string
  readonly user_id: number | null
  /** The automation that wrote it; null for users and feeds. */
  readonly cause: Cause | null
  readonly resource: Collection
  readonly kind: 'create' | 'update' | 'delete' | 'link' | 'unlink'
  /** How many of its objects come before this part. */
  readonly skipped: number
  /** How many objects the row has. */
  readonly size: number
  /** The objects of this part; empty for collections that were not requested. */
  readonly ids: readonly string[]
  /** Who could see deleted objects, by their position in the row. */
  readonly keys: readonly (Keys | Viewers | null)[] | null
  /** Removed and added links, by the id of the object and by field. */
  readonly links: Readonly<Record<string, Links>> | null
}

export type Links = Readonly<Record<string, readonly [removed: unknown, added: unknown]>>

/** A reader must hold one key of each list. */
export type Keys = readonly (readonly (number | null)[])[]

/** The users who could see an object that is not seen by keys. */
export interface Viewers {
  readonly viewers: readonly number[]
}

export interface Changes {
  readonly changes: readonly Change[]
  /** The position after everything that was read, including skipped collections. */
  readonly end: Position
  /** Whether nothing more can be read now. */
  readonly isLast: boolean
  /** Whether the position to continue from was purged: changes after it may be missing as well. */
  readonly hasGap: boolean
}

const MAX_ROWS_PER_READ = 500

/**
 * Only changes before the oldest open transaction are read: any that commit later come after them, so that no change ever appears
 * before a position that was already read.
 */
export const HORIZON = sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`

/** Reads the change log from a position, in one statement: up to `most` objects of these collections. */
export async function readChanges(
  db: Kysely<unknown>,
  after: Position,
  wanted: readonly Collection[],
  most: number,
): Promise<Changes> {
  const isWanted = sql`p.resource = any(${wanted}::text[])`
  const { rows } = await sql<Change & { is_known: boolean }>`
    with place as materialized (
      select xact, id from changes where id = ${after.change}
    ), picked as materialized (
      select c.*, case when c.id = ${after.change} then ${after.item}::integer else 0 end as skipped
      from changes as c
      where (c.xact, c.id) >= (
          coalesce((select xact from place), -9223372036854775808), coalesce((select id from place), 0))
        and c.xact < ${HORIZON}
      order by c.xact, c.id
      limit ${MAX_ROWS_PER_READ}
    ), counted as (
      select p.*, cardinality(p.ids) as size, ${isWanted} as is_wanted, coalesce(
        sum(case when ${isWanted} then cardinality(p.ids) - p.skipped else 0 end)
          over (order by p.xact, p.id rows between unbounded preceding and 1 preceding), 0)::integer as before
      from picked as p
    )
    select p.id, p.at, p.user_id, case when p.cause_kind is not null then
        jsonb_build_object('kind', p.cause_kind, 'id', p.cause_id, 'depth', p.cause_depth) end as cause, p.resource, p.kind, p.skipped, p.size, exists (select from place) as is_known,
      case when p.is_wanted then p.ids[p.skipped + 1 : p.skipped + ${most}::integer - p.before] else '{}' end as ids,
      case when p.is_wanted then p.keys end as keys,
      case when p.is_wanted and p.kind in ('link', 'unlink') then p.details end as links
    from counted as p
    where p.before < ${most}::integer
    order by p.xact, p.id`.execute(db)
  const read = rows.reduce((sum, { ids }) => sum + ids.length, 0)
  const last = rows.at(-1)
  const hasGap = after.change !== 0 && last?.is_known === false
  const isCut = read >= most && last !== undefined && last.ids.length > 0
  const item = isCut ? last.skipped + last.ids.length : (last?.size ?? 0)
  return {
    changes: rows,
    end: last ? { change: last.id, item } : after,
    isLast: rows.length < MAX_ROWS_PER_READ && read < most,
    hasGap,
  }
}

/** The position after everything that can be read now. */
export async function readTip(db: Kysely<unknown>): Promise<Position> {
  const { rows } = await sql<Position>`${lastChange}`.execute(db)
  return rows[0] ?? START
}

/** The last row that can be read now, as a position. */
export const lastChange = sql`
  select id as change, cardinality(ids) as item from changes
  where xact < ${HORIZON}
  order by xact desc, id desc
  limit 1`

/** Whether reading can continue from a position: it must not be older than the retained history. */
export async function isKept(db: Kysely<unknown>, { change }: Position): Promise<boolean> {
  if (change === 0) return true
  const { rows } = await sql`select from changes where id = ${change}`.execute(db)
  return rows.length > 0
}

/**
 * Transaction ids restart when a backup is restored into another database, and restored changes must not lie in the future. All are
 * moved back by the same distance, which keeps their order.
 */
export async function keepOrder(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ distance: number | null }>`
    select max(xact) - pg_current_xact_id()::text::bigint as distance from changes`.execute(db)
  const { distance } = rows[0] ?? {}
  if (!distance || distance <= 0) return
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`update changes set xact = xact - ${distance}::bigint`.execute(db)
}
