import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { listQuery, type Page } from '../../api/lists.ts'
import type { Enrichment, ObservableLink } from '../../api/resources.ts'

/** How often results are read while look-ups are in the queue. */
const BUSY_MS = 2_000
/** The most results that are read at once. */
const MAX_RESULTS = 2_000

/** The latest results of all enrichers for observables, refreshed while any is pending. */
export const enrichmentsQuery = (observables: readonly (number | string)[]) =>
  queryOptions({
    ...listQuery<Enrichment>('enrichments', { 'filter[observable]': observables, limit: MAX_RESULTS }),
    refetchInterval: ({ state }: { state: { data?: Page<Enrichment> | undefined } }) =>
      state.data?.data.some(({ is_pending }) => is_pending) ? BUSY_MS : false,
  })

/** At most this many links are shown in each direction. */
export const MAX_LINKS = 50

/** The links from or to an observable, latest first. */
export const linksQuery = (side: 'observable' | 'target', id: string) =>
  listQuery<ObservableLink>('observable-links', { [`filter[${side}]`]: id, sort: '-created_at', limit: MAX_LINKS })

/** The answer of a service as text. */
export const rawQuery = (id: number) =>
  queryOptions({
    queryKey: ['enrichments', 'raw', id],
    queryFn: async ({ signal }) => {
      const response = await fetch(rawAddress(id), { credentials: 'same-origin', signal })
      // Responses with errors are read as all others are.
      if (!response.ok) await call('GET', `enrichments/${id}/raw`)
      return (await response.text()).slice(0, MAX_SHOWN)
    },
    staleTime: 60_000,
  })

/** Longer answers are cut off on screen; the download has everything. */
export const MAX_SHOWN = 200_000

export const rawAddress = (id: number): string => `/api/v2/enrichments/${id}/raw`
