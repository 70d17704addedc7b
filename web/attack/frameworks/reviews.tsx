import { Group, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { AttackTabs } from '../attack-tabs.tsx'
import { MatrixFilter } from '../matrix-select.tsx'
import { DecidedReviews } from './decided-reviews.tsx'
import { isOf, queueQuery } from './review.ts'
import { ReviewQueue } from './review-queue.tsx'

const VIEWS = [
  { value: '', label: 'Open' },
  { value: 'decided', label: 'Decided' },
]

/** Nodes in use with several successors: users choose what takes their place. */
export function Reviews() {
  const canRead = useMay()('read attack')
  const url = useUrlState()
  const matrix = url.get('matrix')
  return (
    <>
      <AttackTabs />
      <PageHead
        title="Reviews"
        description="Techniques that a new version split into several. Choose which of them takes the place of the old one, wherever it is used."
      />
      {canRead ? (
        <Stack gap="sm">
          <Group gap="sm">
            <SegmentedControl
              aria-label="State"
              data={VIEWS}
              value={url.get('state')}
              onChange={(state) => url.set({ state, at: null })}
            />
            <MatrixFilter value={matrix} onChange={(next) => url.set({ matrix: next, at: null }, true)} />
          </Group>
          {url.get('state') === 'decided' ? <DecidedReviews matrix={matrix} /> : <OpenReviews matrix={matrix} />}
        </Stack>
      ) : (
        <NoPermission permission="read attack" />
      )}
    </>
  )
}

function OpenReviews({ matrix }: { readonly matrix: string }) {
  const queue = useQuery(queueQuery)
  const reviews = queue.data?.filter((review) => isOf(review, matrix))
  if (queue.error) return <LoadFault query={queue} />
  if (!reviews) return <Skeleton h={320} role="status" aria-label="Loading reviews" />
  if (reviews.length === 0)
    return (
      <EmptyState title="No open reviews">
        When a new version replaces a technique that you use with several others, it appears here. Until you decide, it
        stays as it is, and queries for its successors find it as well.
      </EmptyState>
    )
  // Another matrix starts another review.
  return <ReviewQueue key={matrix} reviews={reviews} />
}
