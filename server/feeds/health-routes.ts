import { z } from 'zod'
import { badRequest, missing, notFound } from '../engine/errors.ts'
import { parseId, toUrl } from '../engine/reference.ts'
import type { Context } from '../engine/resource.ts'
import type { Incoming, Route } from '../engine/route.ts'
import type { Described } from '../http/openapi/describe.ts'
import { MOST_DAYS } from './failures.ts'
import { FEED_STATES, type FeedHealth, type FeedTable, readHealth } from './health.ts'
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
  state: z.enum(FEED_STATES).describe('STALE goes before FAILING; PENDING: no run has ended yet.'),
  is_active: z.boolean(),
  is_stale: z.boolean(),
  stale_reason: z.string().nullable(),
  stale_after_seconds: seconds.describe('How long it may do nothing; null where it has no schedule to tell by.'),
  run_state: z.string().nullable().describe('Of its latest run.'),
  failures: z.int().describe('How many runs have failed in a row.'),
  failing_since: time,
  last_error: z.string().nullable(),
  last_error_kind: z.string().nullable(),
  last_triggered_at: time,
  last_success_at: time,
  last_new_at: time.describe('When an incoming feed last brought something new.'),
  seconds_since_success: seconds,
  seconds_since_new: seconds,
  pending: z.int().describe('What was fetched and waits to be processed, or was written and waits to be delivered.'),
  next_run_at: time,
})

const overviewed = health.extend({
  volume: z
    .array(z.int())
    .nullable()
    .optional()
    .describe(
      'With `days`: how many blobs came, or items went out, each day in UTC, today the last; null for who may not see what the feed is about.',
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
  blobs: counts.describe('By their states.'),
  entities: z.int().describe('What is there now of what it brought, as far as you may see it.'),
  observables: z.int(),
  relationships: z.int(),
  days: z.array(day.extend({ blobs: z.int(), objects: counts.describe('By what became of them.') })),
})

const outgoing = z.object({
  blocks: counts.describe('By their delivery_status.'),
  items: z.int().describe('In all blocks.'),
  latest_items: z.int().nullable().describe('In the latest block.'),
  collection_objects: z.int().describe('In its TAXII collection; collection_versions counts all versions of them.'),
  collection_versions: z.int(),
  last_added_at: time,
  days: z.array(day.extend({ blocks: z.int(), items: z.int() })),
})

const statistics = (content: z.ZodType) =>
  z.object({
    health,
    runs: z.array(run).describe('The latest ten.'),
    errors: counts.describe('How many runs failed, by the kind of what went wrong.'),
    seconds_behind: seconds.describe('How old the newest object is that a TAXII server had.'),
    content: content.nullable().describe('Null for who may not see what the feed is about.'),
  })

const daysParameter = ({ description, ...more }: { readonly description: string; readonly default?: number }) => ({
  name: 'days',
  schema: { type: 'integer', minimum: 1, maximum: MOST_DAYS, ...more },
  description,
})

interface Asked {
  readonly id: number
  readonly days: number
}

function statisticsRoute(table: FeedTable, path: string, of: string, content: z.ZodType): Route<Asked, FeedStatistics> {
  const doc: Described = {
    operationId: `statistics_${table}`,
    summary: `Tell how an ${of} is doing, and what it did day by day`,
    tag: table,
    query: [daysParameter({ default: DEFAULT_DAYS, description: 'How many days are told, in UTC, today included.' })],
    success: { 200: z.object({ data: statistics(content) }) },
    refusals: [400, 404],
  }
  return {
    method: 'GET',
    path: `/${path}/:id/statistics`,
    permission: `read ${path}`,
    doc,
    parse: ({ params, query }) => ({ id: idIn(params.id), days: daysIn(query) }),
    run: async (ctx, { id, days }) => {
      const found = await readStatistics(ctx, table, id, days)
      if (!found) throw notFound(id)
      return found
    },
    answer: ({ health: own, runs, ...rest }, { baseUrl }) => {
      const told = runs.map(({ id, ...past }) => ({ task_run: toUrl(baseUrl, 'task_runs', id), ...past }))
      return { status: 200, body: { data: { health: shown(baseUrl, own), runs: told, ...rest } } }
    },
  }
}

type Overviewed = FeedHealth & { readonly volume?: readonly number[] | null }

const overviewDoc: Described = {
  operationId: 'health_feeds',
  summary: 'Tell how all feeds are doing, of the kinds that you may read; those that fail come first',
  tag: 'feeds',
  query: [daysParameter({ description: 'Tells how much there was in so many days, today included.' })],
  success: { 200: z.object({ data: z.array(overviewed) }) },
  refusals: [400, 403],
}

const overview: Route<number | undefined, Overviewed[]> = {
  method: 'GET',
  path: '/feeds/health',
  permission: null,
  doc: overviewDoc,
  parse: ({ query }) => (query.days === undefined ? undefined : daysIn(query)),
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

/** The health of feeds, for those who run them. */
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

function shown(baseUrl: string, { table, id, ...feed }: Overviewed): z.output<typeof overviewed> {
  const own = { feed: toUrl(baseUrl, table, id), type: table === 'incoming_feeds' ? 'incoming' : 'outgoing' } as const
  return overviewed.parse({ ...feed, ...own })
}

function idIn(given = ''): number {
  const id = parseId('integer', given)
  if (id === undefined) throw notFound(given)
  return Number(id)
}

function daysIn({ days }: Incoming['query']): number {
  const given = days?.at(-1) ?? String(DEFAULT_DAYS)
  const number = /^\d{1,3}$/.test(given) ? Number(given) : 0
  if (number < 1 || number > MOST_DAYS) throw badRequest(`days: must be a number from 1 to ${MOST_DAYS}.`)
  return number
}
