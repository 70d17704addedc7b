import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { oneQuery, type Page, searchOf } from '../../api/lists.ts'
import type { Observable } from '../../api/resources.ts'
import type { DayCount } from './timeline.ts'

interface Counted extends DayCount {
  readonly field: string
}

const counts = async (id: string, field: string, limit: number, signal: AbortSignal): Promise<readonly Counted[]> =>
  (
    await call<{ data: readonly Counted[] }>(
      'GET',
      `aggregations/entities/counts${searchOf({ fields: field, 'filter[observables]': id, limit })}`,
      undefined,
      signal,
    )
  ).data

/** One observable, without its entities: there may be a hundred thousand of them. */
export const observableQuery = (id: string) =>
  oneQuery<Observable>(
    `observables/${id}?attributes=id,type,value,display_value,meta,sources,created_at,created_by,last_updated_at`,
  )

/** The number of entities with an observable, by the day on which they were observed. */
export const sightingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['aggregations', 'sightings', id],
    queryFn: ({ signal }) => counts(id, 'meta.estimated_observed_time', 2_000, signal),
  })

/** An observable that occurs together with another one, and in how many entities. */
export interface Companion {
  readonly observable: Pick<Observable, 'id' | 'type' | 'value' | 'display_value' | 'meta'>
  readonly count: number
}

const COMPANIONS = 20

/** The observables that most often occur in the same entities as another one. */
export const companionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['observables', 'companions', id],
    queryFn: async ({ signal }): Promise<readonly Companion[]> => {
      // The observable itself occurs in all of them.
      const found = await counts(id, 'extracts.value', COMPANIONS + 1, signal)
      const byValue = new Map(found.map(({ value, count }) => [value, count]))
      if (byValue.size === 0) return []
      const { data } = await call<Page<Observable>>(
        'GET',
        `observables${searchOf({
          'filter[value]': [...byValue.keys()],
          limit: 3 * COMPANIONS,
          attributes: 'id,type,value,display_value,meta',
        })}`,
        undefined,
        signal,
      )
      return data
        .filter((observable) => String(observable.id) !== id)
        .flatMap((observable) => {
          const count = byValue.get(observable.value)
          return count === undefined ? [] : [{ observable, count }]
        })
        .sort((a, b) => b.count - a.count)
        .slice(0, COMPANIONS)
    },
  })
