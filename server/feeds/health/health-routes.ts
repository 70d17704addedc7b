import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { badRequest, missing, notFound } from '../../engine/errors.ts'
import { parseId, toUrl } from '../../engine/reference.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { MAX_STATISTICS_DAYS } from './failures.ts'
import { FEED_STATES, type FeedHealth, type FeedTable, readHealth } from './read-health.ts'
import { type FeedStatistics, readStatistics } from './statistics.ts'
import { readVolumes } from './volume.ts'

const DEFAULT_DAYS = 30

const time = z.iso.datetime({ offset: true }).nullable()
const seconds = z.number().nullable()
const counts = z.record(z.string(), z.int())

const health = z.object({
  feed: z.url(),
  type: z.enum(['incoming', 'outgoing']),
  name: z.string(),
  state: z.enum(FEED_STATES).describe('STALE takes precedence over FAILING. PENDING: no run has ended yet.'),
  is_active: z.boolean(),
  is_stale: z.boolean(),
  stale_reason: z.string().nullable(),
  stale_after_seconds: seconds.describe(
    'How long the feed may be idle before it is stale; null if it has no schedule to derive this from.',
  ),
  run_state: z.string().nullable().describe('State of the latest run.'),
  failures: z.int().describe('Number of consecutive failed runs.'),
  failing_since: time,
  last_error: z.string().nullable(),
  last_error_kind: z.string().nullable(),
  last_triggered_at: time,
  last_success_at: time,
  last_new_at: time.describe('When an incoming feed last received something new.'),
  seconds_since_success: seconds,
  seconds_since_new: seconds,
  pending: z.int().describe('Number of blobs that wait to be processed, or of blocks that wait to be delivered.'),
  next_run_at: time,
})

const healthWithVolume = health.extend({
  volume: z
    .array(z.int())
    .nullable()
    .optional()
    .describe(
      'With `days`: blobs received or items sent per day in UTC, ending today; null for callers who may not see the content of the feed.',
    ),
})

const run = z.object({
  task_run: z.url(),
  state: z.string(),
  started_at: time,
  ended_at: time,
  seconds,
  result: z.unknown(),
})

const day = z.object({ date: z.string(), bytes: z.int() })

const incoming = z.object({
  blobs: counts.describe('By state.'),
  entities: z.int().describe('Entities of the feed that exist now and that you may see.'),
  observables: z.int(),
  relationships: z.int(),
  days: z.array(day.extend({ blobs: z.int(), objects: counts.describe('By outcome.') })),
})

const outgoing = z.object({
  blocks: counts.describe('By delivery_status.'),
  items: z.int().describe('In all blocks.'),
  latest_items: z.int().nullable().describe('In the latest block.'),
  collection_objects: z
    .int()
    .describe('Objects in its TAXII collection; collection_versions counts all of their versions.'),
  collection_versions: z.int(),
  last_added_at: time,
  days: z.array(day.extend({ blocks: z.int(), items: z.int() })),
})

const statistics = (content: z.ZodType) =>
  z.object({
    health,
    runs: z.array(run).describe('The latest ten.'),
    errors: counts.describe('Failed runs by kind of error.'),
    seconds_behind: seconds.describe('Age of the newest object that the TAXII server had.'),
    content: content.nullable().describe('Null for callers who may not see the content of the feed.'),
  })

const daysParameter = ({ description, ...more }: { readonly description: string; readonly default?: number }) => ({
  name: 'days',
  schema: { type: 'integer', minimum: 1, maximum: MAX_STATISTICS_DAYS, ...more },
  description,
})

interface Asked {
  readonly id: number
  readonly days: number
}

function statisticsRoute(
  table: FeedTable,
  path: string,
  label: string,
  content: z.ZodType,
): Route<Asked, FeedStatistics> {
  const doc: Described = {
    operationId: `statistics_${table}`,
    summary: `Read the health of an ${label} and its activity per day`,
    tag: table,
    query: [
      daysParameter({ default: DEFAULT_DAYS, description: 'Number of days to report, in UTC, including today.' }),
    ],
    success: { 200: z.object({ data: statistics(content) }) },
    refusals: [400, 404],
  }
  return {
    method: 'GET',
    path: `/${path}/:id/statistics`,
    permission: `read ${path}`,
    doc,
    parse: ({ params, query }) => ({ id: parseFeedId(params.id), days: parseDays(query) }),
    run: async (ctx, { id, days }) => {
      const found = await readStatistics(ctx, table, id, days)
      if (!found) throw notFound(id)
      return found
    },
    answer: ({ health: own, runs, ...rest }, { baseUrl }) => {
      const pastRuns = runs.map(({ id, ...past }) => ({ task_run: toUrl(baseUrl, 'task_runs', id), ...past }))
      return { status: 200, body: { data: { health: shown(baseUrl, own), runs: pastRuns, ...rest } } }
    },
  }
}

type HealthWithVolume = FeedHealth & { readonly volume?: readonly number[] | null }

const overviewDoc: Described = {
  operationId: 'health_feeds',
  summary: 'List the health of all feeds that you may read, failing feeds first',
  tag: 'feeds',
  query: [daysParameter({ description: 'Adds the volume of this many days, including today.' })],
  success: { 200: z.object({ data: z.array(healthWithVolume) }) },
  refusals: [400, 403],
}

const overview: Route<number | undefined, HealthWithVolume[]> = {
  method: 'GET',
  path: '/feeds/health',
  permission: null,
  doc: overviewDoc,
  parse: ({ query }) => (query.days === undefined ? undefined : parseDays(query)),
  run: async (ctx, days) => {
    const tables = readable(ctx)
    const feeds = await readHealth(ctx.db, tables)
    if (days === undefined) return feeds
    const volumes = new Map(
      await Promise.all(tables.map(async (table) => [table, await readVolumes(ctx, table, days)] as const)),
    )
    return feeds.map((feed) => ({ ...feed, volume: volumes.get(feed.table)?.get(feed.id) ?? null }))
  },
  answer: (feeds, { baseUrl }) => ({ status: 200, body: { data: feeds.map((feed) => shown(baseUrl, feed)) } }),
}

/** The endpoints for the health of feeds. */
export const feedHealthRoutes: readonly Route[] = [
  statisticsRoute('incoming_feeds', 'incoming-feeds', 'incoming feed', incoming),
  statisticsRoute('outgoing_feeds', 'outgoing-feeds', 'outgoing feed', outgoing),
  overview,
]

const READ = { incoming_feeds: 'read incoming-feeds', outgoing_feeds: 'read outgoing-feeds' } as const

function readable({ caller }: Context): FeedTable[] {
  const tables = (['incoming_feeds', 'outgoing_feeds'] as const).filter((table) => caller.permissions.has(READ[table]))
  if (tables.length === 0) throw missing(Object.values(READ))
  return tables
}

function shown(baseUrl: string, { table, id, ...feed }: HealthWithVolume): z.output<typeof healthWithVolume> {
  const own = { feed: toUrl(baseUrl, table, id), type: table === 'incoming_feeds' ? 'incoming' : 'outgoing' } as const
  return healthWithVolume.parse({ ...feed, ...own })
}

function parseFeedId(given = ''): number {
  const id = parseId('integer', given)
  if (id === undefined) throw notFound(given)
  return Number(id)
}

function parseDays({ days }: Incoming['query']): number {
  const given = days?.at(-1) ?? String(DEFAULT_DAYS)
  const number = /^\d{1,3}$/.test(given) ? Number(given) : 0
  if (number < 1 || number > MAX_STATISTICS_DAYS)
    throw badRequest(`days: must be a number from 1 to ${MAX_STATISTICS_DAYS}.`)
  return number
}
