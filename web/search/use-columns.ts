import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'
import { chosenColumns, DEFAULT_COLUMNS } from './columns.ts'
import type { Searched } from './filters.ts'

/** The columns that the user chose last, stored in this browser per user. */
export function useOwnColumns(searched: Searched): readonly [readonly string[], (columns: readonly string[]) => void] {
  const { data: session } = useQuery(sessionQuery)
  const [kept, keep] = useLocalStorage<readonly string[]>({
    key: `corvus-columns-${searched}-${session?.user ?? ''}`,
    defaultValue: DEFAULT_COLUMNS[searched],
    getInitialValueInEffect: false,
  })
  return [chosenColumns(searched, Array.isArray(kept) ? kept : []), keep]
}
