import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { type Page, searchOf } from '../api/lists.ts'
import type { Enricher, Entity, Widget } from '../api/resources.ts'
import type { Counted } from './chart-option.ts'

/** An enricher as widgets show it. */
export type WatchedEnricher = Pick<
  Enricher,
  | 'id'
  | 'name'
  | 'state'
  | 'state_reason'
  | 'resumes_at'
  | 'quota'
  | 'waiting_count'
  | 'found_count'
  | 'empty_count'
  | 'failed_count'
>

const ENRICHER_ATTRIBUTES =
  'id,name,state,state_reason,resumes_at,quota,waiting_count,found_count,empty_count,failed_count'

/** A technique as a widget about a matrix shows it. */
export interface WatchedTechnique {
  readonly id: string
  readonly count: number
  readonly score: number
  readonly share: number
  readonly gap: number
}

/** The data of a widget; the property depends on its type. */
export type WidgetData = Partial<Counted> & {
  readonly total_count: number
  readonly entities?: readonly Entity[]
  readonly enrichers?: readonly WatchedEnricher[]
  readonly matrix?: string
  readonly techniques?: readonly WatchedTechnique[]
}

/** A widget as it is sent; a new one has no id. */
export type UnsavedWidget = Pick<Widget, 'name' | 'type' | 'query' | 'settings'> & {
  readonly aggregation: Partial<NonNullable<Widget['aggregation']>> | null
}

/** The data of a stored widget, as visible to the user. */
export const widgetDataQuery = (id: number) =>
  queryOptions({
    queryKey: [`widgets/${id}/data`],
    queryFn: async ({ signal }) =>
      (await call<{ data: WidgetData }>('GET', `widgets/${id}/data`, undefined, signal)).data,
    staleTime: 60_000,
  })

/** The data of a widget that is not stored yet. */
export const previewQuery = ({ type, query, aggregation, settings }: UnsavedWidget) =>
  queryOptions({
    queryKey: ['widgets', 'preview', type, query, aggregation, settings],
    queryFn: async ({ signal }): Promise<WidgetData> => {
      const asked = query?.trim() ? { query } : {}
      if (type === 'number') {
        const search = searchOf({ ...asked, data: false, 'meta[total_resources_aggregated]': 0 })
        return { total_count: (await call<Page<Entity>>('GET', `entities${search}`, undefined, signal)).total_count }
      }
      if (type === 'enrichers') {
        const search = searchOf({ sort: 'name', limit: 200, attributes: ENRICHER_ATTRIBUTES })
        const found = await call<Page<WatchedEnricher>>('GET', `enrichers${search}`, undefined, signal)
        return { enrichers: found.data, total_count: found.total_count }
      }
      if (type === 'attack-matrix') {
        const search = searchOf({ ...asked, ...settings.attack, attributes: 'id,count,score,share,gap' })
        const { data, ...rest } = await call<{
          readonly data: readonly WatchedTechnique[]
          readonly matrix: string
          readonly total_count: number
        }>('GET', `attacks/coverage${search}`, undefined, signal)
        return { ...rest, techniques: data }
      }
      if (type === 'list') {
        const search = searchOf({ ...asked, limit: settings.limit ?? 10, sort: settings.sort ?? '-created_at' })
        const { data, total_count } = await call<Page<Entity>>('GET', `entities${search}`, undefined, signal)
        return { entities: data, total_count }
      }
      return (
        await call<{ data: WidgetData }>(
          'POST',
          'aggregations/entities',
          { data: { ...asked, ...aggregation } },
          signal,
        )
      ).data
    },
  })

/** The fields that entities can be grouped by, as suggestions. */
export const countableQuery = queryOptions({
  queryKey: ['search/fields', 'countable'],
  queryFn: async ({ signal }) =>
    (
      await call<{ data: { name: string; type: string }[] }>(
        'GET',
        'search/fields?collection=entities',
        undefined,
        signal,
      )
    ).data,
  staleTime: 300_000,
})
