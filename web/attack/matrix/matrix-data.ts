import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { type Parameters, searchOf } from '../../api/lists.ts'
import { COVERAGE, type Gaps } from '../gaps/gap.ts'

/** How many entities count for a node. */
export interface HeatRow {
  readonly id: string
  readonly count: number
  readonly score: number
}

/** What entities are classified with that is not live. */
export interface OutsideRow extends HeatRow {
  readonly state: 'revoked' | 'deprecated' | 'unknown'
  readonly successors: readonly string[]
}

export interface Heat {
  readonly data: readonly HeatRow[]
  readonly outside: readonly OutsideRow[]
  /** The number of entities in the scope. */
  readonly total_count: number
}

/** A node of a comparison, with the number of entities on each side. */
export interface Compared {
  readonly id: string
  readonly left: number
  readonly right: number
}

const HEAT = 'attacks/heat'
const COMPARISON = 'attack_analyses/compare'

/** The paths to invalidate when entities were classified. */
export const MATRIX_PATHS = [HEAT, COVERAGE, COMPARISON]

const STALE_MS = 30_000

/** How much intelligence there is about each node. The last one stays on screen while another is loading, so that a matrix does not flicker. */
export const heatQuery = (parameters: Parameters) =>
  queryOptions({
    queryKey: [HEAT, parameters],
    queryFn: ({ signal }) => call<Heat>('GET', `${HEAT}${searchOf(parameters)}`, undefined, signal),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  })

/** How well each node is defended. */
export const coverageQuery = (parameters: Parameters) =>
  queryOptions({
    queryKey: [COVERAGE, 'all', parameters],
    queryFn: ({ signal }) => call<Gaps>('GET', `${COVERAGE}${searchOf(parameters)}`, undefined, signal),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  })

export interface Comparison {
  readonly data: { readonly nodes: readonly Compared[] }
}

/** The nodes of two sides. */
export const comparisonQuery = (left: string, right: string, parameters: Parameters) =>
  queryOptions({
    queryKey: [COMPARISON, { ...parameters, left, right }],
    queryFn: ({ signal }) =>
      call<Comparison>('GET', `${COMPARISON}${searchOf({ ...parameters, left, right })}`, undefined, signal),
    staleTime: STALE_MS,
  })
