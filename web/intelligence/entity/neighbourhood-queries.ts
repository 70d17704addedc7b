import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { type Parameters, searchOf } from '../../api/lists.ts'

/** One page of a group around an entity, with the total count. */
interface Part {
  readonly group: string
  readonly count: number
  readonly next_offset: number | null
}

/** Entities with the same relationship type and direction. */
export interface NeighbourGroup extends Part {
  readonly key: string
  readonly direction: 'out' | 'in'
  readonly entity_type: string
  readonly entities: readonly {
    readonly id: string
    readonly type: string
    readonly title: string
    readonly tlp_color: string | null
  }[]
}

/** Observables of one type. */
export interface ObservableGroup extends Part {
  readonly type: string
  readonly observables: readonly {
    readonly id: number
    readonly type: string
    readonly value: string
    readonly display_value: string
    readonly maliciousness: string
    readonly entities_count: number
  }[]
}

interface Neighbourhood {
  readonly neighbours: readonly NeighbourGroup[]
  /** Null without the permission to read observables. */
  readonly observables: readonly ObservableGroup[] | null
}

const ask = async (id: string, parameters: Parameters, signal: AbortSignal) =>
  (await call<{ data: Neighbourhood }>('GET', `entities/${id}/neighbourhood${searchOf(parameters)}`, undefined, signal))
    .data

/** All groups around an entity, each with its first members. */
export const neighbourhoodQuery = (id: string) =>
  queryOptions({
    queryKey: [`entities/${id}/neighbourhood`],
    queryFn: ({ signal }) => ask(id, { limit: 10 }, signal),
  })

/** Further members of a group, from where the first page ended. */
export const groupQuery = (id: string, { group, next_offset }: Part) =>
  infiniteQueryOptions({
    queryKey: [`entities/${id}/neighbourhood`, group],
    queryFn: ({ signal, pageParam }) => ask(id, { limit: 100, group, offset: pageParam }, signal),
    initialPageParam: next_offset ?? 0,
    getNextPageParam: ({ neighbours, observables }) =>
      [...neighbours, ...(observables ?? [])][0]?.next_offset ?? undefined,
  })
