import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { sortFaults } from '../../ui/faults.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { KeyHint } from './key-hint.tsx'
import { decidedInWords, decideReview, nextOpen, type Outcome, type Review } from './review.ts'
import { ReviewCard } from './review-card.tsx'
import { useReviewKeys } from './use-review-keys.ts'

/** Reviews one node at a time. */
export function ReviewQueue({ reviews }: { readonly reviews: readonly Review[] }) {
  const url = useUrlState()
  const mayDecide = useMay()('modify attack')
  const first = reviews.findIndex(({ id }) => String(id) === url.get('at'))
  const [at, setAt] = useState(Math.max(0, first))
  const [decided, setDecided] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const [selected, setSelected] = useState<readonly string[]>([])
  const [said, setSaid] = useState('')
  const current = reviews[at]
  const shown = current ? String(current.id) : ''
  useEffect(() => {
    if (url.get('at') !== shown) url.set({ at: shown || null }, true)
  }, [url, shown])
  const go = (place: number) => {
    setSelected([])
    setAt(Math.max(0, Math.min(place, reviews.length)))
  }
  const sent = useMutation({
    mutationFn: ({ review, chosen }: Decision) => decideReview(review.id, chosen),
    onSuccess: (outcome, { review, chosen }) => {
      const next = new Map(decided).set(review.id, outcome)
      setDecided(next)
      setSaid(decidedInWords(review, outcome, chosen))
      go(nextOpen(reviews, next, at + 1) ?? reviews.length)
    },
  })
  const isBlocked = !mayDecide || sent.isPending || !current || decided.has(current.id)
  const decide = (chosen: readonly string[]) => {
    if (!isBlocked && current) sent.mutate({ review: current, chosen })
  }
  useReviewKeys({ review: current, selected, mayDecide, decide, move: (by) => go(at + by) })
  const fault = sent.error ? sortFaults(sent.error, []).others.join(' ') : ''
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={600} flex="none">
          {current ? `${at + 1} of ${reviews.length}` : `${reviews.length} shown`}
        </Text>
        <Text size="sm" c={fault ? 'var(--mantine-color-error)' : 'dimmed'} role="status" flex={1} ta="center">
          {fault || said}
        </Text>
        <Text size="sm" c="dimmed" flex="none">
          {decided.size} decided
        </Text>
      </Group>
      <Progress value={(decided.size / reviews.length) * 100} size="xs" aria-label="Progress" />
      {current ? (
        <ReviewCard
          key={current.id}
          review={current}
          outcome={decided.get(current.id)}
          selected={selected}
          onSelect={setSelected}
          isBlocked={isBlocked}
          onDecide={decide}
        />
      ) : (
        <AllShown reviews={reviews} decided={decided} onGo={go} />
      )}
      {!mayDecide && (
        <Alert color="gray" variant="light">
          Deciding requires the permission “modify attack”.
        </Alert>
      )}
      {current && (
        <Group gap="sm" justify="center">
          <Button variant="default" aria-keyshortcuts="ArrowLeft" disabled={at === 0} onClick={() => go(at - 1)}>
            Back <KeyHint name="←" />
          </Button>
          {mayDecide && (
            <>
              <Button variant="default" aria-keyshortcuts="K" disabled={isBlocked} onClick={() => decide([])}>
                Keep {current.node.id} <KeyHint name="K" />
              </Button>
              <Button
                aria-keyshortcuts="M"
                disabled={isBlocked || selected.length === 0}
                loading={sent.isPending}
                onClick={() => decide(selected)}
              >
                Map to selected ({selected.length}) <KeyHint name="M" />
              </Button>
            </>
          )}
          <Button variant="default" aria-keyshortcuts="S ArrowRight" onClick={() => go(at + 1)}>
            Skip <KeyHint name="S" />
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface Decision {
  readonly review: Review
  /** The ids of the successors. */
  readonly chosen: readonly string[]
}

interface AllShownProps {
  readonly reviews: readonly Review[]
  readonly decided: ReadonlyMap<number, Outcome>
  readonly onGo: (place: number) => void
}

function AllShown({ reviews, decided, onGo }: AllShownProps) {
  const open = nextOpen(reviews, decided, 0)
  return (
    <EmptyState
      title={open === undefined ? 'All reviews are decided' : 'End of the queue'}
      action={
        <Group>
          {open !== undefined && <Button onClick={() => onGo(open)}>Show open reviews</Button>}
          <Button variant="default" onClick={() => onGo(reviews.length - 1)}>
            Back
          </Button>
        </Group>
      }
    >
      {open === undefined
        ? 'New ones appear when another version is loaded.'
        : 'You have seen all reviews. Some of them are still open.'}
    </EmptyState>
  )
}
