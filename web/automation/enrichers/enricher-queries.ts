import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { listQuery, oneQuery } from '../../api/lists.ts'
import type { Enricher } from '../../api/resources.ts'
import type { Schema } from '../../api/schema.ts'

/** A function that enrichers can use. */
export interface EnricherFunction {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly supported_types: readonly string[]
  readonly parameters: Schema
  readonly secrets: readonly string[]
  readonly limits: Enricher['limits']
  /** Whether observables are sent to a service. */
  readonly is_remote: boolean
  readonly requests_per_look_up: number
  readonly source_urls: Readonly<Record<string, string>>
  /** What to do before it can be used; null if nothing. */
  readonly set_up: string | null
  /** Whether a user defined it. */
  readonly is_own: boolean
}

/** All functions. They change when tables and definitions do. */
export const functionsQuery = queryOptions({
  queryKey: ['enrichers/functions'],
  queryFn: async ({ signal }) =>
    (await call<{ data: EnricherFunction[] }>('GET', 'enrichers/functions', undefined, signal)).data,
  staleTime: 30_000,
})

/** What enrichers have in common with the kinds of rules. */
export const ENRICHERS = { path: 'enrichers', permission: 'enrichers', touched: ['tasks'] }

/** All enrichers, by name. */
export const enrichersQuery = listQuery<Enricher>('enrichers', { sort: 'name', limit: 500 })

export const enricherQuery = (id: string) => oneQuery<Enricher>(`enrichers/${id}`)

/** What an enricher would do with some observables. */
export interface EnricherForecast {
  readonly enricher: number
  readonly name: string
  readonly supported: number
  readonly cached: number
  readonly skipped: number
  readonly look_ups: number
  readonly calls: number
  readonly cost: number | null
  readonly days: number | null
  readonly fits: boolean
  readonly quota: Enricher['quota']
}

/** What a run would do. */
export interface Forecast {
  readonly observables: number
  readonly by_type: Readonly<Record<string, number>>
  readonly enrichers: readonly EnricherForecast[]
}

/** The result of a test. */
export interface TestResult {
  readonly state: 'FOUND' | 'EMPTY' | 'SKIPPED' | 'FAILED'
  readonly reason: string | null
  readonly findings: readonly { readonly kind: string; readonly [name: string]: unknown }[]
  readonly warnings: readonly string[]
  readonly requests: readonly {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
    readonly status: number
    readonly answer: string
  }[]
  readonly milliseconds: number
}

/** Looks one value up without storing anything. */
export const testEnricher = async (id: number, type: string, value: string): Promise<TestResult> =>
  (await call<{ data: TestResult }>('POST', `enrichers/${id}/test`, { data: { type, value } })).data
