import { type Kysely, type RawBuilder, sql } from 'kysely'
import { latestStateOf } from '../../background/owned-tasks.ts'
import { longestGap, type Schedule } from '../../domain/schedule.ts'
import type { FEEDS } from '../feed-tasks.ts'

export type FeedTable = keyof typeof FEEDS

/** The stored facts from which the health of a feed is derived. */
interface Stored {
  readonly table: FeedTable
  readonly id: number
  readonly name: string
  readonly is_active: boolean
  readonly execution_schedule: Schedule | null
  readonly stale_after_hours: number | null
  readonly failures: number
  readonly failing_since: string | null
  readonly last_error: string | null
  readonly last_error_kind: string | null
  readonly last_triggered_at: string | null
  readonly last_success_at: string | null
  /** When an incoming feed last received something new. */
  readonly last_new_at: string | null
  /** When it last did its work, or was last changed by a user. */
  readonly alive_at: string
  readonly stale_since: string | null
  readonly update_task: number | null
  readonly next_run_at: string | null
  /** The state of its latest run. */
  readonly run_state: string | null
  /** Number of blobs not processed yet, or of blocks not delivered yet. */
  readonly pending: number
  readonly now: string
}

export const FEED_STATES = ['OK', 'FAILING', 'STALE', 'INACTIVE', 'PENDING'] as const

/** The health of a feed: its stored facts and what follows from them. */
export interface FeedHealth extends Stored {
  readonly state: (typeof FEED_STATES)[number]
  readonly is_stale: boolean
  readonly stale_reason: string | null
  /** How long it may be idle, in seconds; null without a limit or schedule. */
  readonly stale_after_seconds: number | null
  readonly seconds_since_success: number | null
  readonly seconds_since_new: number | null
}

/** Columns that differ between the kinds of feeds; what one kind lacks is null. */
const KIND_COLUMNS: Readonly<Record<FeedTable, RawBuilder<unknown>>> = {
  incoming_feeds: sql`
    f.stale_after_hours, f.last_error_kind, f.last_new_at,
    greatest(
      coalesce(case when f.stale_after_hours is null then f.last_success_at else f.last_new_at end, f.created_at),
      f.last_updated_at) as alive_at,
    (select count(*) from incoming_blobs as b where b.feed = f.id and b.state = 'PENDING') as pending`,
  outgoing_feeds: sql`
    null::integer as stale_after_hours,
    case when f.failures > 0 then (
      select e.kind from feed_failures as e where e.outgoing_feed = f.id order by e.failed_at desc limit 1
    ) end as last_error_kind, null::timestamptz as last_new_at,
    greatest(coalesce(f.last_success_at, f.created_at), f.last_updated_at) as alive_at,
    (select count(*) from content_blocks as b where b.outgoing_feed = f.id and b.delivery_status = 'PENDING') as pending`,
}

/** Reads the health of all feeds of these kinds, or of one of them, failing feeds first. */
export async function readHealth(
  db: Kysely<unknown>,
  tables: readonly FeedTable[],
  { id = null, limit = null }: { readonly id?: number | null; readonly limit?: number | null } = {},
): Promise<FeedHealth[]> {
  if (tables.length === 0) return []
  const each = tables.map(
    (table) => sql`
      select ${table}::text as table, f.id, f.name, f.is_active, f.execution_schedule, f.failures, f.failing_since, f.last_error,
        f.last_triggered_at, f.last_success_at, f.stale_since, f.update_task, t.next_run_at, ${KIND_COLUMNS[table]},
        (${sql.raw(latestStateOf('f.update_task'))}) as run_state
      from ${sql.table(table)} as f left join tasks as t on t.id = f.update_task
      where ${id}::integer is null or f.id = ${id}::integer`,
  )
  const { rows } = await sql<Stored>`
    select h.*, now() as now
    from (${sql.join(each, sql` union all `)}) as h
    order by h.failures desc, h.table, h.name
    limit ${limit}::integer`.execute(db)
  return rows.map(healthOf)
}

const DAY_SECONDS = 86_400

/** Derives the health of a feed, by the clock of the database. */
function healthOf(feed: Stored): FeedHealth {
  const now = new Date(feed.now)
  const since = (time: string | null) => (time === null ? null : Math.max(0, (+now - Date.parse(time)) / 1000))
  const limit = staleAfter(feed, now)
  const idle = since(feed.alive_at) ?? 0
  const isStale = feed.is_active && limit !== null && idle > limit
  return {
    ...feed,
    state: stateOf(feed, isStale),
    is_stale: isStale,
    stale_reason: isStale ? reasonOf(feed, Math.floor(idle / 3600)) : null,
    stale_after_seconds: limit,
    seconds_since_success: since(feed.last_success_at),
    seconds_since_new: since(feed.last_new_at),
  }
}

function stateOf(feed: Stored, isStale: boolean): FeedHealth['state'] {
  if (!feed.is_active) return 'INACTIVE'
  if (isStale) return 'STALE'
  if (feed.failures > 0) return 'FAILING'
  const hasRun = feed.last_success_at !== null || (feed.run_state !== null && !OPEN_RUN_STATES.includes(feed.run_state))
  return hasRun ? 'OK' : 'PENDING'
}

/** States of a run that has not ended. */
const OPEN_RUN_STATES = ['PENDING', 'SENT', 'STARTED', 'RETRY']

/**
 * How long a feed may be idle. A configured limit counts from when something new last arrived. Without one, the time since the last
 * successful run counts, because many feeds are quiet for weeks: three times the longest gap of the schedule, but at least a day.
 * A feed without a limit and a schedule is never stale.
 */
function staleAfter({ stale_after_hours, execution_schedule }: Stored, now: Date): number | null {
  if (stale_after_hours !== null) return stale_after_hours * 3600
  return execution_schedule && Math.max(DAY_SECONDS, 3 * longestGap(execution_schedule, now))
}

function reasonOf({ stale_after_hours, failures, failing_since }: Stored, hours: number): string {
  if (failures > 0) return `It has been failing since ${failing_since}.`
  return stale_after_hours !== null
    ? `Nothing new has arrived for ${hours} hours.`
    : `No run has succeeded for ${hours} hours.`
}
