import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { hasFreeWords } from '../../server/domain/typed-query.ts'
import { type QueryFault, queryFault } from '../api/query-fault.ts'
import type { Consolidation } from '../domain/consolidations.ts'
import { BY_SCORE, knownSort } from './columns.ts'
import { wholeQuery } from './filters.ts'
import { checkQuery, EXACT_UP_TO, type Row, rowsQuery, sizeQuery, totalQuery } from './search-queries.ts'
import type { SearchState } from './search-state.ts'
import { useOwnColumns } from './use-columns.ts'
import { useOwnView } from './use-own-view.ts'
import { useSettled } from './use-settled.ts'

/** The results of a search. */
export interface Found {
  readonly rows: readonly Row[]
  readonly columns: readonly string[]
  readonly keepColumns: (columns: readonly string[]) => void
  readonly sort: string
  /** What is shown of unified entities. */
  readonly view: Consolidation
  readonly keepView: (view: Consolidation) => void
  /** The query that matches all results. */
  readonly whole: string
  /** The exact number of results; undefined until known. */
  readonly total: number | undefined
  readonly isMany: boolean
  readonly isPending: boolean
  readonly isBusy: boolean
  /** Whether the rows belong to the previous search. */
  readonly isOld: boolean
  /** Whether the rows have been shown for a moment. */
  readonly isSettled: boolean
  readonly fault: QueryFault | undefined
  readonly error: Error | null
  readonly more: () => void
  readonly refetch: () => Promise<unknown>
}

/** Loads the rows of a page state and their number. */
export function useFound(state: SearchState): Found {
  const { searched, filters } = state
  const typed = state.query.trim()
  const whole = wholeQuery(typed, filters)
  const [own, keepColumns] = useOwnColumns(searched)
  const columns = useStable(state.columns ?? own)
  const [ownView, keepView] = useOwnView()
  const view = searched === 'entities' ? (state.consolidation ?? ownView) : 'all'
  const search = { searched, query: whole, view }
  const hasWords = hasFreeWords(typed)
  const size = useQuery({ ...sizeQuery(search), enabled: hasWords && state.sort === '' })
  // An invalid query is not counted; the row request reports its error.
  const known = knownSort(searched, state.sort, { query: whole, hasWords: hasWords && !size.error, total: size.data })
  const sort = known ?? BY_SCORE
  const list = useInfiniteQuery({ ...rowsQuery(search, sort, columns), enabled: known !== undefined })
  const checked = useQuery({ ...checkQuery(searched, typed), enabled: typed !== '' && filters.length > 0 })
  const first = list.isPlaceholderData ? undefined : list.data?.pages[0]?.total_count
  const isMany = first !== undefined && first > EXACT_UP_TO
  // Rows come first: counting must not delay them.
  const isSettled = useSettled(!list.isPlaceholderData && !list.isPending)
  const counted = useQuery({ ...totalQuery(search), enabled: isMany && isSettled })
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data])
  const fault = queryFault(checked.error ?? (filters.length === 0 ? list.error : null), typed.length)
  const { hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage } = list
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isPlaceholderData) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage])
  return {
    rows,
    columns,
    keepColumns,
    sort,
    view,
    keepView,
    whole,
    total: isMany ? counted.data : first,
    isMany,
    isPending: list.isPending,
    isBusy: list.isFetching || size.isFetching,
    isOld: list.isPlaceholderData,
    isSettled,
    fault,
    error: fault ? null : (checked.error ?? list.error),
    more,
    refetch: list.refetch,
  }
}

/** Keeps the identity of an equal list, so that the table is not rendered again. */
function useStable(list: readonly string[]): readonly string[] {
  const text = list.join()
  return useMemo(() => text.split(','), [text])
}
