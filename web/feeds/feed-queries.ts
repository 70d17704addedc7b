import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { searchOf } from '../api/lists.ts'

/** The direction of a feed. */
export type FeedKind = 'incoming' | 'outgoing'

/** The health of a feed. */
export interface FeedHealth {
  readonly feed: string
  readonly type: FeedKind
  readonly name: string
  readonly state: 'OK' | 'FAILING' | 'STALE' | 'INACTIVE' | 'PENDING'
  readonly is_active: boolean
  readonly stale_reason: string | null
  readonly run_state: string | null
  readonly failures: number
  readonly failing_since: string | null
  readonly last_error: string | null
  readonly last_error_kind: string | null
  readonly last_triggered_at: string | null
  readonly last_success_at: string | null
  readonly last_new_at: string | null
  readonly seconds_since_success: number | null
  readonly seconds_since_new: number | null
  readonly pending: number
  readonly next_run_at: string | null
  /** Blobs received or items sent per day, oldest first; null without the permission to see it. */
  readonly volume?: readonly number[] | null
}

/** The volume of a feed on one day. */
export interface FeedDay {
  readonly date: string
  readonly bytes: number
  readonly blobs?: number
  readonly blocks?: number
  readonly items?: number
  readonly objects?: Readonly<Record<string, number>>
}

/** Recent activity of a feed. */
export interface FeedStatistics {
  readonly health: FeedHealth
  readonly runs: readonly {
    readonly task_run: string
    readonly state: string
    readonly started_at: string | null
    readonly ended_at: string | null
    readonly seconds: number | null
    readonly result: unknown
  }[]
  readonly errors: Readonly<Record<string, number>>
  readonly seconds_behind: number | null
  readonly content:
    | (Readonly<Record<string, unknown>> & {
        readonly blobs?: Readonly<Record<string, number>>
        readonly blocks?: Readonly<Record<string, number>>
        readonly entities?: number
        readonly observables?: number
        readonly relationships?: number
        readonly items?: number
        readonly days: readonly FeedDay[]
      })
    | null
}

/** The health of all readable feeds, failing ones first, with their volume over a number of days. */
export const healthQuery = (days?: number) =>
  queryOptions({
    queryKey: ['feeds/health', days],
    queryFn: async ({ signal }) =>
      (await call<{ data: FeedHealth[] }>('GET', `feeds/health${searchOf({ days })}`, undefined, signal)).data,
  })

/** The activity of a feed over a number of days. */
export const statisticsQuery = (kind: FeedKind, id: string, days = 30) =>
  queryOptions({
    queryKey: [`${kind}-feeds/${id}/statistics`, days],
    queryFn: async ({ signal }) =>
      (await call<{ data: FeedStatistics }>('GET', `${kind}-feeds/${id}/statistics?days=${days}`, undefined, signal))
        .data,
  })
