import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { hasFreeWords } from '../../../server/domain/typed-query.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { BY_SCORE, knownSort } from './columns.ts'
import { wholeQuery } from './filters.ts'
import { type QueryFault, queryFault } from './query-fault.ts'
import { checkQuery, EXACT_UP_TO, type Row, rowsQuery, sizeQuery, totalQuery } from './search-queries.ts'
import type { SearchState } from './search-state.ts'
import { useOwnColumns } from './use-columns.ts'

/** What a search has found so far. */
export interface Found {
  readonly rows: readonly Row[]
  readonly columns: readonly string[]
  readonly keepColumns: (columns: readonly string[]) => void
  readonly sort: string
  /** The query that stands for all of it. */
  readonly whole: string
  /** Undefined until it is known to the last one. */
  readonly total: number | undefined
  readonly isMany: boolean
  readonly isPending: boolean
  readonly isBusy: boolean
  /** Whether the rows are those of the search before. */
  readonly isOld: boolean
  /** Whether the rows have been there for a moment. */
  readonly isSettled: boolean
  readonly fault: QueryFault | undefined
  readonly error: Error | null
  readonly more: () => void
  readonly refetch: () => Promise<unknown>
}

/** Asks for the rows of a state of the page, and for how many there are. */
export function useFound(state: SearchState): Found {
  const { searched, filters } = state
  const typed = state.query.trim()
  const whole = wholeQuery(typed, filters)
  const [own, keepColumns] = useOwnColumns(searched)
  const columns = useStable(state.columns ?? own)
  const hasWords = hasFreeWords(typed)
  const size = useQuery({ ...sizeQuery(searched, whole), enabled: hasWords && state.sort === '' })
  // A query with a fault has no size: the list says what is wrong.
  const known = knownSort(searched, state.sort, { query: whole, hasWords: hasWords && !size.error, total: size.data })
  const sort = known ?? BY_SCORE
  const list = useInfiniteQuery({ ...rowsQuery(searched, whole, sort, columns), enabled: known !== undefined })
  const checked = useQuery({ ...checkQuery(searched, typed), enabled: typed !== '' && filters.length > 0 })
  const first = list.isPlaceholderData ? undefined : list.data?.pages[0]?.total_count
  const isMany = first !== undefined && first > EXACT_UP_TO
  // Rows come first: counting must not hold up that they are drawn.
  const isSettled = useSettled(!list.isPlaceholderData && !list.isPending)
  const counted = useQuery({ ...totalQuery(searched, whole), enabled: isMany && isSettled })
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

/** The same list as long as it says the same: the table is not drawn anew for nothing. */
function useStable(list: readonly string[]): readonly string[] {
  const text = list.join()
  return useMemo(() => text.split(','), [text])
}
