import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'
import { CONSOLIDATIONS, type Consolidation } from '../domain/consolidations.ts'

/** What the user chose last to see of unified entities, stored in this browser per user. */
export function useOwnView(): readonly [Consolidation, (view: Consolidation) => void] {
  const { data: session } = useQuery(sessionQuery)
  const [kept, keep] = useLocalStorage<Consolidation>({
    key: `corvus-consolidation-${session?.user ?? ''}`,
    defaultValue: 'unified',
    getInitialValueInEffect: false,
  })
  return [CONSOLIDATIONS.find((each) => each === kept) ?? 'unified', keep]
}
