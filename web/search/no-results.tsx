import { Button, Group } from '@mantine/core'
import { FirstRun } from '../demo/first-run.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

interface NoResultsProps {
  /** Whether there was a query or filter. */
  readonly isAsked: boolean
  readonly hasFilters: boolean
  readonly onClear: () => void
  readonly onClearFilters: () => void
}

/** The empty state of a search, with suggestions. */
export function NoResults({ isAsked, hasFilters, onClear, onClearFilters }: NoResultsProps) {
  if (!isAsked) return <FirstRun />
  return (
    <EmptyState
      title="No results"
      action={
        <Group mt="md">
          {hasFilters && (
            <Button variant="default" onClick={onClearFilters}>
              Clear filters
            </Button>
          )}
          <Button variant="default" onClick={onClear}>
            Clear search
          </Button>
        </Group>
      }
    >
      Try fewer words, a prefix such as phish*, or fewer filters. Results include only objects that you have access to.
    </EmptyState>
  )
}
