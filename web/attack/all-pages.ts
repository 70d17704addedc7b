import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { type Page, type Parameters, searchOf } from '../api/lists.ts'

/** The largest page of the API. */
const PAGE_SIZE = 2_000

/** A whole collection, for those of a framework: they are small enough to be searched and grouped in the browser. */
export const wholeQuery = <T>(path: string, parameters: Parameters = {}) =>
  queryOptions({
    queryKey: [path, 'whole', parameters],
    queryFn: async ({ signal }) => {
      const found: T[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const search = searchOf({ ...parameters, limit: PAGE_SIZE, ...(cursor !== '' && { 'page[cursor]': cursor }) })
        const page: Page<T> = await call<Page<T>>('GET', `${path}${search}`, undefined, signal)
        found.push(...page.data)
        cursor = page.cursor
      }
      return found
    },
    staleTime: 60_000,
  })
