import type pg from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Everything worth a log line or a metric, in one union. */
export type Event = { kind: 'request'; method: string; route: string; status: number; seconds: number }

/** What Prometheus reads at `/metrics`. */
export interface Metrics {
  observe(event: Event): void
  text(): Promise<string>
  readonly contentType: string
}

/** How a feed is doing, as far as it is measured. */
export interface MeasuredFeed {
  readonly table: string
  readonly id: number
  readonly state: string
  readonly failures: number
  readonly pending: number
  readonly seconds_since_success: number | null
}

/** What metrics ask the database for when they are read. */
interface Sources {
  /** How many requests wait for a connection. */
  waiting(): number
  runsByState(): Promise<Record<string, number>>
  /** No more than can be told apart in a chart. */
  feeds(): Promise<readonly MeasuredFeed[]>
}

/** Metrics of one process; gauges that need a query are asked for when they are read. */
export function createMetrics(pool: pg.Pool, { waiting, runsByState, feeds }: Sources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'corvus_http_request_seconds',
    help: 'How long requests took, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'corvus_database_connections',
    help: 'Connections of this process to the database, by what they do.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waited for' }, waiting())
    },
  })
  new Gauge({
    name: 'corvus_task_runs',
    help: 'Task runs, by state.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const [state, count] of Object.entries(await runsByState())) this.set({ state }, count)
    },
  })
  const measureFeeds = feedGauges(registry)
  // Finding the series of a request by its labels takes longer than counting it.
  const series = new Map<string, { observe(seconds: number): void }>()
  return {
    observe: ({ method, route, status, seconds }) => {
      const key = `${method} ${status} ${route}`
      const own = series.get(key) ?? requests.labels({ method, route, status })
      series.set(key, own)
      own.observe(seconds)
    },
    text: async () => {
      measureFeeds(await feeds())
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

/** The gauges of feeds, which are all set from one look at them. */
function feedGauges(registry: Registry): (feeds: readonly MeasuredFeed[]) => void {
  const gauge = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const each = ['kind', 'feed']
  const success = gauge('corvus_feed_seconds_since_success', 'Seconds since a run of a feed last went well.', each)
  const failures = gauge('corvus_feed_failures', 'How many runs of a feed have failed in a row.', each)
  const pending = gauge('corvus_feed_pending', 'Blobs that wait to be processed, or blocks to be delivered.', each)
  const states = gauge('corvus_feeds', 'Feeds, by what they do and how they are doing.', ['kind', 'state'])
  return (feeds) => {
    for (const one of [success, failures, pending, states]) one.reset()
    for (const { table, id, state, ...measured } of feeds) {
      const kind = table === 'incoming_feeds' ? 'incoming' : 'outgoing'
      const labels = { kind, feed: String(id) }
      states.inc({ kind, state: state.toLowerCase() })
      if (state === 'INACTIVE') continue
      failures.set(labels, measured.failures)
      pending.set(labels, measured.pending)
      if (measured.seconds_since_success !== null) success.set(labels, measured.seconds_since_success)
    }
  }
}
