import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { readState, type SearchState, writeState } from './search-state.ts'

/** Changes a part of the state; with `isRefined`, without adding a history entry. */
export type ChangeState = (changes: Partial<SearchState>, isRefined?: boolean) => void

/** The address as state of the search page. */
export function useSearchState(): readonly [SearchState, ChangeState] {
  const address = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const state = useMemo(() => readState(address), [address])
  const change: ChangeState = useCallback(
    (changes, isRefined = false) =>
      void navigate({
        to: '/',
        search: (before: Readonly<Record<string, unknown>>) => writeState({ ...readState(before), ...changes }),
        replace: isRefined,
        resetScroll: false,
      } as never),
    [navigate],
  )
  return [state, change]
}
