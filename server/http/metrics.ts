import type pg from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** All events that are logged or measured, in one union. */
export type Event = { kind: 'request'; method: string; route: string; status: number; seconds: number }

/** The metrics that Prometheus scrapes at `/metrics`. */
export interface Metrics {
  observe(event: Event): void
  text(): Promise<string>
  readonly contentType: string
}

/** The measured state of a feed. */
export interface MeasuredFeed {
  readonly table: string
  readonly id: number
  readonly state: string
  readonly failures: number
  readonly pending: number
  readonly seconds_since_success: number | null
}

/** The measured state of a follower of the change log. */
export interface MeasuredFollower {
  readonly name: string
  readonly pending_changes: number
  readonly lag_seconds: number
  readonly failures: number
}

/** The measured queue of an enricher, a detonator or a playbook. */
export interface MeasuredLane {
  readonly name: string
  readonly waiting: number
  readonly due: number
  readonly running: number
  readonly oldest_seconds: number
  readonly oldest_due_seconds: number
}

/** The queries that run when metrics are read. */
interface Sources {
  /** The number of requests waiting for a connection. */
  waiting(): number
  runsByState(): Promise<Record<string, number>>
  /** At most as many feeds as a chart can tell apart. */
  feeds(): Promise<readonly MeasuredFeed[]>
  followers(): Promise<readonly MeasuredFollower[]>
  enrichers(): Promise<readonly MeasuredLane[]>
  detonators(): Promise<readonly MeasuredLane[]>
  playbooks(): Promise<readonly MeasuredLane[]>
}

/** The metrics of one process. Gauges that need a query run it when they are read. */
export function createMetrics(
  pool: pg.Pool,
  { waiting, runsByState, feeds, followers, enrichers, detonators, playbooks }: Sources,
): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'corvus_http_request_seconds',
    help: 'Request duration by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'corvus_database_connections',
    help: 'Database connections of this process by state.',
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
    help: 'Task runs by state.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const [state, count] of Object.entries(await runsByState())) this.set({ state }, count)
    },
  })
  const measureFeeds = feedGauges(registry)
  const measureFollowers = followerGauges(registry)
  const measureEnrichers = laneGauges(registry, 'enricher', 'Look-ups of an enricher')
  const measureDetonators = laneGauges(registry, 'detonator', 'Detonations of a detonator')
  const measurePlaybooks = laneGauges(registry, 'playbook', 'Runs of a playbook')
  // Looking up a series by its labels takes longer than counting.
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
      measureFollowers(await followers())
      measureEnrichers(await enrichers())
      measureDetonators(await detonators())
      measurePlaybooks(await playbooks())
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

/** The gauges of followers, all set from one query. */
function followerGauges(registry: Registry): (followers: readonly MeasuredFollower[]) => void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['follower'], registers: [registry] })
  const lag = gauge('corvus_follower_lag_seconds', 'Age of the oldest change that a follower has not handled.')
  const pending = gauge('corvus_follower_pending_changes', 'Changes that a follower has not handled, up to 10,000.')
  const failures = gauge('corvus_follower_failures', 'Consecutive failed attempts of a follower.')
  return (followers) => {
    for (const { name: follower, lag_seconds, pending_changes, failures: failed } of followers) {
      lag.set({ follower }, lag_seconds)
      pending.set({ follower }, pending_changes)
      failures.set({ follower }, failed)
    }
  }
}

/** The gauges of the queues of one lane, all set from one query. */
function laneGauges(
  registry: Registry,
  kind: 'enricher' | 'detonator' | 'playbook',
  work: string,
): (lanes: readonly MeasuredLane[]) => void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `corvus_${kind}_${name}`, help: `${work} ${help}`, labelNames: [kind], registers: [registry] })
  const gauges = {
    waiting: gauge('waiting', 'that no process works on.'),
    due: gauge('due', 'that no process works on, although it is time.'),
    running: gauge('running', 'in progress.'),
    oldest_seconds: gauge('oldest_seconds', 'that have not ended: the age of the oldest.'),
    oldest_due_seconds: gauge('oldest_due_seconds', 'that are due: for how long the oldest has been.'),
  }
  return (lanes) => {
    for (const each of Object.values(gauges)) each.reset()
    for (const { name, ...measured } of lanes) {
      const labels = { [kind]: name }
      gauges.waiting.set(labels, measured.waiting)
      gauges.due.set(labels, measured.due)
      gauges.running.set(labels, measured.running)
      gauges.oldest_seconds.set(labels, measured.oldest_seconds)
      gauges.oldest_due_seconds.set(labels, measured.oldest_due_seconds)
    }
  }
}

/** The gauges of feeds, all set from one query. */
function feedGauges(registry: Registry): (feeds: readonly MeasuredFeed[]) => void {
  const gauge = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const each = ['kind', 'feed']
  const success = gauge('corvus_feed_seconds_since_success', 'Seconds since the last successful run of a feed.', each)
  const failures = gauge('corvus_feed_failures', 'Consecutive failed runs of a feed.', each)
  const pending = gauge(
    'corvus_feed_pending',
    'Blobs waiting to be processed, or blocks waiting to be delivered.',
    each,
  )
  const states = gauge('corvus_feeds', 'Feeds by direction and health.', ['kind', 'state'])
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
