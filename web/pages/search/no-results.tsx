import { Button, Group } from '@mantine/core'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FirstRun } from '../../ui/first-run.tsx'

interface NoResultsProps {
  /** Whether anything was asked for at all. */
  readonly isAsked: boolean
  readonly hasFilters: boolean
  readonly onClear: () => void
  readonly onClearFilters: () => void
}

/** Stands where nothing was found, and says what to do next. */
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
