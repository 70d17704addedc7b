import { call } from '../../api/call.ts'
import type { Enricher } from '../../api/resources.ts'
import type { EnricherForecast, Forecast } from '../enrichers/enricher-queries.ts'

/** What is looked up: objects, or the entities that a query finds. */
export interface EnrichTarget {
  readonly observables?: readonly number[]
  /** Their observables are looked up. */
  readonly entities?: readonly string[]
  readonly query?: string
}

const selectionOf = ({ observables = [], entities = [], query }: EnrichTarget) =>
  query === undefined ? { observables, entities } : { entities_query: query }

/** Says what a run would do. */
export const readForecast = async (
  target: EnrichTarget,
  enrichers: readonly number[],
  force: boolean,
  signal?: AbortSignal,
): Promise<Forecast> => {
  const data = { ...selectionOf(target), enrichers, force }
  return (await call<{ data: Forecast }>('POST', 'enrichers/forecast', { data }, signal)).data
}

/** Starts a run and returns its URL. */
export async function startEnrichment(
  target: EnrichTarget,
  enrichers: readonly number[],
  force: boolean,
): Promise<string> {
  const path = target.query === undefined ? 'enrichers/batch-run' : 'entities/by-query/enrich'
  const data = { ...selectionOf(target), enrichers, force }
  return (await call<{ data: { task_run: string } }>('POST', path, { data })).data.task_run
}

/** The sums of a forecast over the chosen enrichers. */
export interface ForecastTotal {
  readonly lookUps: number
  readonly calls: number
  readonly cached: number
  /** Null if no chosen enricher has a cost. */
  readonly cost: number | null
  /** The time of the slowest; null without limits. */
  readonly days: number | null
  /** The names of enrichers whose limits are not enough. */
  readonly short: readonly string[]
}

/** Adds up what the chosen enrichers would do. */
export function totalOf(forecast: readonly EnricherForecast[], chosen: ReadonlySet<number>): ForecastTotal {
  const wanted = forecast.filter(({ enricher }) => chosen.has(enricher))
  const sum = (of: (each: EnricherForecast) => number) => wanted.reduce((total, each) => total + of(each), 0)
  const costs = wanted.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  const days = wanted.flatMap((each) => (each.days === null ? [] : [each.days]))
  return {
    lookUps: sum(({ look_ups }) => look_ups),
    calls: sum(({ calls }) => calls),
    cached: sum(({ cached }) => cached),
    cost: costs.length === 0 ? null : Math.round(costs.reduce((total, cost) => total + cost, 0) * 1e6) / 1e6,
    days: days.length === 0 ? null : Math.max(...days),
    short: wanted.filter(({ fits }) => !fits).map(({ name }) => name),
  }
}

/** The enrichers to choose at first: those that work and have something to look up within their limits. */
export const firstChoice = (
  forecast: readonly EnricherForecast[],
  enrichers: readonly Pick<Enricher, 'id' | 'state'>[],
): ReadonlySet<number> => {
  const working = new Set(
    enrichers.filter(({ state }) => state === 'ACTIVE' || state === 'WAITING').map(({ id }) => id),
  )
  const isGood = ({ enricher, look_ups, fits }: EnricherForecast) => look_ups > 0 && fits && working.has(enricher)
  return new Set(forecast.filter(isGood).map(({ enricher }) => enricher))
}
