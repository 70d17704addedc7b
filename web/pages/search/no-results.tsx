import { Button, Group } from '@mantine/core'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FirstRun } from '../../ui/first-run.tsx'

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
      title="Nothing matches"
      action={
        <Group mt="md">
          {hasFilters && (
            <Button variant="default" onClick={onClearFilters}>
              Clear the filters
            </Button>
          )}
          <Button variant="default" onClick={onClear}>
            Show everything
          </Button>
        </Group>
      }
    >
      Use fewer words, a star at the end of one (phish*), or fewer filters. Only what you are allowed to see is found.
    </EmptyState>
  )
}
