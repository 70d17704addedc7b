import { infiniteQueryOptions, keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { endlessQuery, type Page, searchOf } from '../api/lists.ts'
import type { Consolidation } from '../domain/consolidations.ts'
import { attributesOf } from './columns.ts'
import { FILTER_FIELDS, type Filter, type Searched, wholeQuery } from './filters.ts'
import { prefixQuery } from './query-text.ts'

/** A result row: an entity or observable, with the attributes of the selected columns. */
export interface Row {
  readonly id: string | number
  readonly type?: string
  readonly value?: string
  readonly data?: { readonly type?: string; readonly title?: string; readonly confidence?: unknown }
  readonly meta?: {
    readonly title?: string
    readonly tags?: readonly string[]
    readonly taxonomies?: readonly string[]
    readonly tlp_color?: string | null
    readonly source_reliability?: string | null
    readonly maliciousness?: string
    readonly is_withdrawn?: boolean
    readonly is_unified_entity?: boolean
    readonly is_contributor_to?: string | null
    readonly estimated_threat_start_time?: string | null
  }
  readonly entities?: readonly string[]
  readonly observables?: readonly string[]
  readonly sources?: readonly string[]
  readonly relevancy?: number | null
  readonly created_at?: string
  readonly last_updated_at?: string
}

const PAGE_SIZE = 100

/** Keeps the previous results while the next ones load, but only within the same collection. */
const keepOf =
  (searched: Searched) =>
  <T>(before: T | undefined, query: { readonly queryKey: QueryKey } | undefined): T | undefined =>
    query?.queryKey[0] === searched ? before : undefined

/** The parameters of what is searched for. */
const asked = (query: string, view: Consolidation = 'all') => ({
  ...(query !== '' && { query }),
  ...(view !== 'all' && { consolidation: view }),
})

/** What is searched for. */
export interface Search {
  readonly searched: Searched
  readonly query: string
  /** What is shown of unified entities. */
  readonly view: Consolidation
}

/** The result pages; the previous rows stay while the next search runs. */
export const rowsQuery = ({ searched, query, view }: Search, sort: string, columns: readonly string[]) =>
  infiniteQueryOptions({
    ...endlessQuery<Row>(searched, {
      ...asked(query, view),
      sort,
      limit: PAGE_SIZE,
      attributes: attributesOf(searched, columns),
    }),
    placeholderData: keepOf(searched),
  })

/** Up to this number, the total of a list is exact. */
export const EXACT_UP_TO = 10_000

/** The number of results, exact up to the limit of lists. */
export const sizeQuery = ({ searched, query, view }: Search) =>
  queryOptions({
    queryKey: [searched, 'size', query, view],
    queryFn: async ({ signal }) => {
      const path = `${searched}${searchOf({ ...asked(query, view), data: false })}`
      return (await call<{ total_count: number }>('GET', path, undefined, signal)).total_count
    },
  })

/** The exact number of results. */
export const totalQuery = ({ searched, query, view }: Search) =>
  queryOptions({
    queryKey: [searched, 'total', query, view],
    queryFn: async ({ signal }) => {
      const parameters = { ...asked(query, view), data: false, 'meta[total_resources_aggregated]': 0 }
      return (await call<{ total_count: number }>('GET', `${searched}${searchOf(parameters)}`, undefined, signal))
        .total_count
    },
  })

/**
 * Validates the typed query on its own. Combined with filters it is wrapped in parentheses, where `a) OR (b` would be valid
 * although it is not, and error columns would be shifted.
 */
export const checkQuery = (searched: Searched, typed: string) =>
  queryOptions({
    queryKey: [searched, 'check', typed],
    queryFn: ({ signal }) => {
      const parameters = { ...asked(typed), data: false, 'meta[total_resources_aggregated]': 1 }
      return call('GET', `${searched}${searchOf(parameters)}`, undefined, signal)
    },
  })

/** The number of results with a value. */
export interface ValueCount {
  readonly field: string
  readonly value: string
  readonly count: number
}

const countValues = (
  { searched, query, view }: Search,
  fields: readonly string[],
  limit: number,
  signal: AbortSignal,
) =>
  call<{ data: ValueCount[] }>(
    'GET',
    `aggregations/${searched}/counts${searchOf({ fields: fields.join(), ...asked(query, view), limit })}`,
    undefined,
    signal,
  ).then(({ data }) => data)

/** Fields whose values are counted, depending on the user's permissions. */
export const facetFields = (searched: Searched, may: (permission: string) => boolean): readonly string[] =>
  Object.entries(FILTER_FIELDS[searched])
    .filter(([, { isFacet, permission }]) => isFacet && (permission === undefined || may(permission)))
    .map(([field]) => field)

/**
 * The most frequent values of fields in the results. For a field with filters, its own filters are ignored: otherwise only the
 * selected values would be listed.
 */
export const facetsQuery = (
  searched: Searched,
  typed: string,
  filters: readonly Filter[],
  view: Consolidation,
  fields: readonly string[],
  limit: number,
) =>
  queryOptions({
    queryKey: [searched, 'facets', typed, filters, view, fields, limit],
    queryFn: async ({ signal }) => {
      const chosen = fields.filter((field) => filters.some((each) => each.field === field))
      const others = fields.filter((field) => !chosen.includes(field))
      const counts = await Promise.all([
        others.length === 0
          ? []
          : countValues({ searched, query: wholeQuery(typed, filters), view }, others, limit, signal),
        ...chosen.map((field) => {
          const rest = filters.filter((each) => each.field !== field)
          return countValues({ searched, query: wholeQuery(typed, rest), view }, [field], limit, signal)
        }),
      ])
      return Map.groupBy(counts.flat(), ({ field }) => field)
    },
    placeholderData: keepOf(searched),
  })

/** A field that can be used in queries. */
export interface SearchField {
  readonly name: string
  readonly type: 'text' | 'keyword' | 'number' | 'date' | 'boolean'
  readonly description: string
  readonly examples: readonly string[]
}

const LONG_MS = 300_000

/** All fields that can be used in queries. */
export const fieldsQuery = (searched: Searched) =>
  queryOptions({
    queryKey: ['search/fields', searched],
    queryFn: async ({ signal }) =>
      (await call<{ data: SearchField[] }>('GET', `search/fields?collection=${searched}`, undefined, signal)).data,
    staleTime: LONG_MS,
  })

/** Observable values are too many to count, so they are looked up by prefix. */
const VALUES = ['value', 'extracts.value']

/** Values of a field with a prefix. */
export const valuesQuery = (searched: Searched, field: string, prefix: string, most: number) =>
  queryOptions({
    queryKey: [searched, 'values', field, prefix],
    queryFn: async ({ signal }): Promise<readonly ValueCount[]> => {
      if (VALUES.includes(field)) return beginningLike(prefix, most, signal)
      const query = prefixQuery(field, prefix) ?? ''
      return countValues({ searched, query, view: 'all' }, [field], prefix === '' ? most : most * 5, signal)
    },
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })

async function beginningLike(prefix: string, limit: number, signal: AbortSignal): Promise<readonly ValueCount[]> {
  const query = prefixQuery('value', prefix)
  if (query === undefined) return []
  const path = `observables${searchOf({ query, limit, attributes: 'id,value' })}`
  const { data } = await call<Page<{ value: string }>>('GET', path, undefined, signal)
  return data.map(({ value }) => ({ field: 'value', value, count: 0 }))
}
