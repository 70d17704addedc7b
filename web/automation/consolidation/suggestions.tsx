import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/session.ts'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { Review } from './review.tsx'
import { SuggestionFilterBar, useSuggestionFilters } from './suggestion-filters.tsx'
import { SuggestionList } from './suggestion-list.tsx'

const VIEWS = [
  { value: '', label: 'Review' },
  { value: 'list', label: 'List' },
]

/** Suggestions to consolidate: reviewed one by one, or as a list. */
export function Suggestions() {
  const canRead = useMay()('read entities')
  const url = useUrlState()
  const { filters, hasFilters, clear } = useSuggestionFilters()
  if (!canRead)
    return (
      <>
        <PageHead title="Suggested matches" />
        <NoPermission permission="read entities" />
      </>
    )
  return (
    <>
      <PageHead
        title="Suggested matches"
        description="Entities that may be the same. Consolidated ones become contributors to one unified entity; the originals stay as they are."
        actions={
          <Button variant="default" renderRoot={(props) => <Link to="/consolidation-events" {...props} />}>
            Show history
          </Button>
        }
      />
      <Stack gap="sm">
        <Group gap="sm">
          <SegmentedControl
            aria-label="View"
            data={VIEWS}
            value={url.get('view')}
            onChange={(view) => url.set({ view, state: null })}
          />
          <SuggestionFilterBar />
        </Group>
        {url.get('view') === 'list' ? (
          <SuggestionList filters={filters} />
        ) : (
          <Review
            // Other filters start another review.
            key={Object.values(filters).join(' ')}
            filters={filters}
            hasFilters={hasFilters}
            onClearFilters={clear}
          />
        )}
      </Stack>
    </>
  )
}
