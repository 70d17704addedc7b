import { Alert, Button, Center, Group, Kbd, Progress, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { CallError } from '../../api/call.ts'
import { idOf, oneQuery } from '../../api/lists.ts'
import type { Entity } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { reasonInWords } from '../../domain/match-reasons.ts'
import { entityQuery } from '../../intelligence/entity/entity-queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { sharedNames, spelled, spellingsOf } from './names.ts'
import { PairView } from './pair-view.tsx'
import classes from './review.module.css'
import { firstOpen, progressInWords } from './review-queue.ts'
import { type ReviewedState, SUGGESTIONS, type Suggestion, type SuggestionFilters } from './suggestion.ts'
import { StateOfSuggestion } from './suggestion-state.tsx'
import { type ReviewOfSuggestions, useReview } from './use-review.ts'
import { useReviewKeys } from './use-review-keys.ts'

interface ReviewProps {
  readonly filters: SuggestionFilters
  readonly hasFilters: boolean
  readonly onClearFilters: () => void
}

/** Reviews open suggestions one pair at a time. */
export function Review({ filters, hasFilters, onClearFilters }: ReviewProps) {
  const url = useUrlState()
  const review = useReview(filters, Number(url.get('at')) || undefined)
  const current = review.items[review.review.at]
  const shownId = review.isReady ? String(current?.id ?? '') : url.get('at')
  const at = url.get('at')
  useEffect(() => {
    if (shownId !== at) url.set({ at: shownId || null }, true)
  }, [shownId, at, url])
  if (review.list.error && review.items.length === 0) return <LoadFault query={review.list} />
  if (!review.isReady) return <Skeleton h={420} role="status" aria-label="Loading suggestions" />
  if (review.items.length === 0) return <NothingToReview hasFilters={hasFilters} onClearFilters={onClearFilters} />
  return (
    <Stack gap="sm">
      <ReviewHead review={review} current={current} />
      {current ? <Pair key={current.id} review={review} current={current} /> : <AllShown review={review} />}
    </Stack>
  )
}

function NothingToReview({ hasFilters, onClearFilters }: Omit<ReviewProps, 'filters'>) {
  if (hasFilters)
    return (
      <EmptyState
        title="No matching suggestions"
        action={
          <Button variant="default" onClick={onClearFilters}>
            Clear filters
          </Button>
        }
      />
    )
  return (
    <EmptyState title="No open suggestions">
      When two entities of different sources share a name but not enough to be joined automatically, they are suggested
      here. You decide whether they are the same: if they are, they become contributors to one unified entity. If not,
      the decision is remembered and they are not suggested again. Suggestions need an active consolidation policy.
    </EmptyState>
  )
}

interface PartProps {
  readonly review: ReviewOfSuggestions
  readonly current: Suggestion | undefined
}

/** Progress, and what the last action led to. */
function ReviewHead({ review: { review, total, outcome }, current }: PartProps) {
  const decided = [...review.decided.values()]
  const counted = (wanted: ReviewedState) => decided.filter((state) => state === wanted).length.toLocaleString('en')
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={600} flex="none">
          {current ? progressInWords(review.at, total) : `${total.toLocaleString('en')} shown`}
        </Text>
        <Text
          size="sm"
          c={outcome.isFault ? 'var(--mantine-color-error)' : 'dimmed'}
          role="status"
          flex={1}
          style={{ overflowWrap: 'anywhere' }}
        >
          {outcome.text}
        </Text>
        <Text size="sm" c="dimmed" visibleFrom="sm" flex="none">
          {counted('accepted')} consolidated · {counted('refused')} not the same
        </Text>
      </Group>
      <Progress value={total === 0 ? 0 : (Math.min(review.at, total) / total) * 100} size="xs" aria-label="Progress" />
    </Stack>
  )
}

function AllShown({ review }: Pick<PartProps, 'review'>) {
  const open = firstOpen(
    review.items.map(({ id }) => id),
    review.review,
  )
  useReviewKeys({ review, current: undefined, titles: undefined })
  return (
    <EmptyState
      title={open === undefined ? 'All suggestions are decided' : 'End of the list'}
      action={
        <Group>
          {open !== undefined && <Button onClick={() => review.go(open)}>Show open suggestions</Button>}
          <Button variant="default" onClick={() => review.go(review.items.length - 1)}>
            Back
          </Button>
        </Group>
      }
    >
      {open === undefined
        ? 'New suggestions appear as new intelligence arrives.'
        : 'You have seen all suggestions. Some of them are still open.'}
    </EmptyState>
  )
}

const RETRY_MS = 1_500

/** The entities of suggestions, by URL; those of the next one are loaded in advance, so that deciding takes no time. */
function usePairs(suggestions: readonly Suggestion[], isAccepted: boolean) {
  const urls = suggestions.flatMap(({ first, second }) => [first, second])
  return useQueries({
    queries: [...new Set(urls)].map((url) => ({
      ...entityQuery(idOf(url)),
      staleTime: 60_000,
      // It takes a moment until the user may see a new unified entity.
      refetchInterval: ({ state: { data } }: { state: { data: Entity | undefined } }) =>
        isAccepted && data?.meta.is_contributor_to === null ? RETRY_MS : false,
    })),
  })
}

/** Notices that another user has decided about a suggestion, or that it does not hold any more. */
function useCurrentState(review: ReviewOfSuggestions, { id }: Suggestion): void {
  const { data, error } = useQuery({ ...oneQuery<Suggestion>(`${SUGGESTIONS}/${id}`), staleTime: 0, retry: false })
  const isKnown = review.review.decided.has(id)
  const state = error instanceof CallError && error.status === 404 ? 'gone' : data?.state
  const { note } = review
  useEffect(() => {
    if (!isKnown && state !== undefined && state !== 'open') note(id, state)
  }, [isKnown, state, note, id])
}

function Pair({ review, current }: PartProps & { readonly current: Suggestion }) {
  const { at } = review.review
  const found = usePairs(review.items.slice(at, at + 3), review.review.decided.get(current.id) === 'accepted')
  useCurrentState(review, current)
  const entityAt = (url: string) => found.find(({ data }) => data?.id === idOf(url))?.data
  const [first, second] = [entityAt(current.first), entityAt(current.second)]
  const titles = first && second ? { first: entityTitle(first), second: entityTitle(second) } : undefined
  useReviewKeys({ review, current, titles })
  const failed = found.slice(0, 2).find(({ error }) => error)
  if (first && second) return <Compared review={review} current={current} first={first} second={second} />
  return (
    <>
      {failed ? <LoadFault query={failed} /> : <Skeleton h={420} role="status" aria-label="Loading entities" />}
      <Actions review={review} current={current} titles={undefined} />
    </>
  )
}

interface ComparedProps extends PartProps {
  readonly current: Suggestion
  readonly first: Entity
  readonly second: Entity
}

function Compared({ review, current, first, second }: ComparedProps) {
  const shared = useMemo(() => sharedNames(first, second, current.reasons), [first, second, current.reasons])
  const titles = { first: entityTitle(first), second: entityTitle(second) }
  const spellings = spellingsOf([first, second])
  const state = review.review.decided.get(current.id)
  return (
    <>
      <div>
        <VisuallyHidden role="status">
          {progressInWords(review.review.at, review.total)}: {titles.first} and {titles.second}.
        </VisuallyHidden>
        <Group gap="sm">
          <Text fw={600} fz="lg" style={{ overflowWrap: 'anywhere' }}>
            {current.reasons.map((reason) => reasonInWords(spelled(reason, spellings))).join(' · ')}
          </Text>
          {state && <StateOfSuggestion state={state} />}
        </Group>
      </div>
      <PairView first={first} second={second} shared={shared} />
      <Actions review={review} current={current} titles={titles} />
    </>
  )
}

interface ActionsProps {
  readonly review: ReviewOfSuggestions
  readonly current: Suggestion
  readonly titles: { readonly first: string; readonly second: string } | undefined
}

function Actions({ review, current, titles }: ActionsProps) {
  const mayDecide = useMay()('modify entities')
  const isDecided = review.review.decided.has(current.id)
  const { at } = review.review
  const isBlocked = isDecided || !titles
  return (
    <div className={classes.actions}>
      {!mayDecide && (
        <Alert color="gray" variant="light" mb="xs">
          Deciding requires the permission “modify entities”.
        </Alert>
      )}
      <Center>
        <Group gap="sm" justify="center">
          <Button variant="default" aria-keyshortcuts="ArrowLeft" disabled={at === 0} onClick={() => review.go(at - 1)}>
            Back <Key name="←" />
          </Button>
          {mayDecide && (
            <>
              <Button
                className={classes.decide}
                variant="light"
                color="red"
                aria-keyshortcuts="R"
                disabled={isBlocked}
                onClick={() => titles && void review.decide(current, 'refuse', titles.first, titles.second)}
              >
                Not the same <Key name="R" />
              </Button>
              <Button
                className={classes.decide}
                aria-keyshortcuts="A"
                disabled={isBlocked}
                onClick={() => titles && void review.decide(current, 'accept', titles.first, titles.second)}
              >
                Consolidate <Key name="A" />
              </Button>
            </>
          )}
          <Button variant="default" aria-keyshortcuts="S ArrowRight" onClick={() => review.go(at + 1)}>
            Skip <Key name="S" />
          </Button>
          {mayDecide && (
            <Button
              variant="subtle"
              aria-keyshortcuts="Z"
              disabled={!review.canUndo}
              onClick={() => void review.undo()}
            >
              Undo <Key name="Z" />
            </Button>
          )}
        </Group>
      </Center>
    </div>
  )
}

const Key = ({ name }: { readonly name: string }) => (
  <Kbd size="xs" ml={8} aria-hidden visibleFrom="sm">
    {name}
  </Kbd>
)
