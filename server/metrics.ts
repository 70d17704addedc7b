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

/** Metrics of one process; gauges that need a query are asked for when they are read. */
export function createMetrics(pool: pg.Pool, runsByState: () => Promise<Record<string, number>>): Metrics {
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
      this.set({ state: 'waited for' }, pool.waitingCount)
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
  // Finding the series of a request by its labels takes longer than counting it.
  const series = new Map<string, { observe(seconds: number): void }>()
  return {
    observe: ({ method, route, status, seconds }) => {
      const key = `${method} ${status} ${route}`
      const own = series.get(key) ?? requests.labels({ method, route, status })
      series.set(key, own)
      own.observe(seconds)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
