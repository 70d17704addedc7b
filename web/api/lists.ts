import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'

/** A page of a list, as returned by the API. */
export interface Page<T> {
  readonly count: number
  readonly data: readonly T[]
  readonly limit: number
  readonly offset: number
  readonly total_count: number
  readonly cursor: string | null
}

/** Query parameters of a list: `filter[type]`, `sort`, `query`, `limit`… Several values of one name match any of them. */
export type Parameters = Readonly<Record<string, string | number | boolean | readonly (string | number)[] | undefined>>

/** Serialises query parameters. */
export function searchOf(parameters: Parameters): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) search.append(name, String(each))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** One page of a collection. */
export const listQuery = <T>(path: string, parameters: Parameters = {}) =>
  queryOptions({
    queryKey: [path, 'list', parameters],
    queryFn: ({ signal }) => call<Page<T>>('GET', `${path}${searchOf(parameters)}`, undefined, signal),
  })

/** All pages of a collection, loaded one at a time. */
export const endlessQuery = <T>(path: string, parameters: Parameters = {}) =>
  infiniteQueryOptions({
    queryKey: [path, 'endless', parameters],
    queryFn: ({ pageParam, signal }) =>
      call<Page<T>>(
        'GET',
        `${path}${searchOf({ ...parameters, ...(pageParam && { 'page[cursor]': pageParam }) })}`,
        undefined,
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  })

/** One object. */
export const oneQuery = <T>(path: string) =>
  queryOptions({
    queryKey: [path, 'one'],
    queryFn: async ({ signal }) => (await call<{ data: T }>('GET', path, undefined, signal)).data,
  })

/** The id at the end of a reference URL. */
export const idOf = (url: string): string => new URL(url, 'http://corvus.invalid').pathname.split('/').at(-1) ?? ''
