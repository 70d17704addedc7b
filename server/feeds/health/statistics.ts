import { type RawBuilder, sql } from 'kysely'
import { mayReadDetails } from '../../background/run-details.ts'
import type { Context } from '../../engine/context.ts'
import { FEED_COLUMNS } from './failures.ts'
import { type FeedHealth, type FeedTable, readHealth } from './read-health.ts'
import {
  type IncomingContent,
  incomingContent,
  maySeeContent,
  type OutgoingContent,
  outgoingContent,
} from './volume.ts'

/** One of the latest runs of a feed. */
export interface PastRun {
  readonly id: string
  readonly state: string
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly seconds: number | null
  /** What it counted; null for callers who may not see the content of the feed or the details of the run. */
  readonly result: unknown
}

/** The health and history of a feed; `content` is null for callers who may not see it. */
export interface FeedStatistics {
  readonly health: FeedHealth
  readonly runs: readonly PastRun[]
  /** Number of failed runs by kind of error. */
  readonly errors: Readonly<Record<string, number>>
  /** Age of the newest object on the server of the feed, which only TAXII servers report. */
  readonly seconds_behind: number | null
  readonly content: IncomingContent | OutgoingContent | null
}

const MAX_RUNS = 10

/** What decides how much a caller may know about a feed besides its health. */
interface Insight {
  readonly mayKnow: boolean
  readonly newestAt: string | null
}

/** Reads the statistics of a feed over a number of days; undefined if there is no such feed. The number of statements is constant. */
export async function readStatistics(
  ctx: Context,
  table: FeedTable,
  id: number,
  days: number,
): Promise<FeedStatistics | undefined> {
  const [health] = await readHealth(ctx.db, [table], { id })
  if (!health) return undefined
  const { mayKnow, newestAt } = await insightOf(ctx, table, id)
  const behind = newestAt === null ? Number.NaN : (Date.parse(health.now) - Date.parse(newestAt)) / 1000
  return {
    health,
    runs: await latestRuns(ctx, health.update_task, mayKnow),
    errors: await failuresOf(ctx, table, id, days),
    seconds_behind: Number.isNaN(behind) ? null : Math.max(0, behind),
    content: mayKnow ? await CONTENT[table](ctx, id, days) : null,
  }
}

const CONTENT = { incoming_feeds: incomingContent, outgoing_feeds: outgoingContent } as const

/** When the newest object was added that the server of the feed reported. */
const NEWEST_AT: Readonly<Record<FeedTable, RawBuilder<unknown>>> = {
  incoming_feeds: sql`
    case when f.transport_type = 'eiq.incoming-transports.taxii2'
      then coalesce(f.cursor ->> 'newest', f.cursor ->> 'added_after') end`,
  outgoing_feeds: sql`null`,
}

async function insightOf(ctx: Context, table: FeedTable, id: number): Promise<Insight> {
  const { rows } = await sql<Insight>`
    select ${maySeeContent(ctx, table)} as "mayKnow", ${NEWEST_AT[table]} as "newestAt"
    from ${sql.table(table)} as f
    where f.id = ${id}`.execute(ctx.db)
  return rows[0] ?? { mayKnow: false, newestAt: null }
}

async function latestRuns(ctx: Context, task: number | null, mayKnow: boolean): Promise<PastRun[]> {
  const { rows } = await sql<PastRun>`
    select r.id, r.state, r.started_at, r.ended_at,
      extract(epoch from r.ended_at - r.started_at)::float8 as seconds,
      case when ${mayKnow} and ${mayReadDetails(ctx, 'r')} then r.result end as result
    from task_runs as r
    where r.task = ${task}
    order by r.created_at desc, r.id desc
    limit ${MAX_RUNS}`.execute(ctx.db)
  return rows
}

async function failuresOf(
  { db }: Context,
  table: FeedTable,
  id: number,
  days: number,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select e.kind, count(*) as count
    from feed_failures as e
    where e.${sql.ref(FEED_COLUMNS[table])} = ${id} and e.failed_at > now() - make_interval(days => ${days})
    group by e.kind
    order by count(*) desc, e.kind`.execute(db)
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}
