import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { CallError, call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { endlessQuery, oneQuery } from '../../api/lists.ts'
import { queries } from '../../api/queries.ts'
import { POLICIES } from './policy.ts'
import { lastUndoable, startOf, stepped } from './review-queue.ts'
import {
  type Decision,
  decidedInWords,
  type ReviewedState,
  SUGGESTIONS,
  type Suggestion,
  type SuggestionFilters,
  suggestionParameters,
} from './suggestion.ts'

const PAGE_SIZE = 50
/** The next page is requested when this few suggestions are left. */
const MIN_LEFT = 10

/** What a decision changes elsewhere. */
const TOUCHED = [POLICIES.path, ...POLICIES.touched]

/** What the last action led to, announced to screen readers. */
export interface Outcome {
  readonly text: string
  readonly isFault: boolean
}

/** Why a decision came too late. */
const FOUND: Readonly<Record<Exclude<ReviewedState, 'open'>, string>> = {
  accepted: 'had already been consolidated.',
  refused: 'had already been decided: they are not the same.',
  gone: 'are no longer suggested, because one of them changed or they are already joined.',
}

/** The open suggestions of a review. The list stays as it was loaded, so that nothing moves while one decides. */
function useOpenSuggestions(filters: SuggestionFilters, startId: number | undefined) {
  const list = useInfiniteQuery({
    ...endlessQuery<Suggestion>(SUGGESTIONS, { ...suggestionParameters('open', filters), limit: PAGE_SIZE }),
    // Not below the path of the collection, whose lists are refetched after each decision.
    queryKey: ['review of suggestions', 'endless', { ...filters }],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const items = list.data?.pages.flatMap(({ data }) => data)
  const startAt = items?.findIndex(({ id }) => id === startId) ?? -1
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  // The suggestion in the URL may be on a later page.
  const isSearching = items !== undefined && startId !== undefined && startAt === -1 && hasNextPage
  useEffect(() => {
    if (isSearching && !isFetchingNextPage) void fetchNextPage()
  }, [isSearching, isFetchingNextPage, fetchNextPage])
  return { list, items, startAt: Math.max(0, startAt), isReady: items !== undefined && !isSearching }
}

/** A review of open suggestions, one pair at a time: decisions are shown at once and stored in the background. */
export function useReview(filters: SuggestionFilters, startId: number | undefined) {
  const [start] = useState(startId)
  const { list, items = [], startAt, isReady } = useOpenSuggestions(filters, start)
  const [review, step] = useReducer(stepped, startOf())
  const [outcome, setOutcome] = useState<Outcome>({ text: '', isFault: false })
  const isStarted = useRef(false)
  useEffect(() => {
    if (!isReady || isStarted.current) return
    isStarted.current = true
    step({ kind: 'go', at: startAt })
  }, [isReady, startAt])
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const isLow = review.at + MIN_LEFT > items.length
  useEffect(() => {
    if (isReady && isLow && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isReady, isLow, hasNextPage, isFetchingNextPage, fetchNextPage])
  const writes = useWrites()

  async function decide({ id }: Suggestion, decision: Decision, first: string, second: string): Promise<void> {
    step({ kind: 'decide', id, decision })
    setOutcome({ text: decidedInWords(decision === 'accept' ? 'accepted' : 'refused', first, second), isFault: false })
    const result = await writes.send(id, decision)
    if (result.error === undefined) return
    const pair = `“${first}” and “${second}”`
    if (result.state === undefined || result.state === 'open') {
      step({ kind: 'failed', id })
      setOutcome({ text: `${pair}: ${result.error} They are still open; go back to decide again.`, isFault: true })
    } else {
      step({ kind: 'found', id, state: result.state })
      setOutcome({ text: `${pair} ${FOUND[result.state]}`, isFault: true })
    }
  }

  const undoable = lastUndoable(review)
  async function undo(): Promise<void> {
    if (undoable === undefined) {
      const text =
        review.own.length === 0
          ? 'There is no decision to undo.'
          : 'Consolidating cannot be undone here. To take entities apart, open the unified entity.'
      setOutcome({ text, isFault: true })
      return
    }
    const result = await writes.send(undoable, 'reopen')
    if (result.error !== undefined) {
      if (result.state !== undefined) step({ kind: 'found', id: undoable, state: result.state })
      setOutcome({ text: `The decision could not be undone: ${result.error}`, isFault: true })
      return
    }
    step({ kind: 'undone', id: undoable })
    setOutcome({ text: 'Undone. The suggestion is open again.', isFault: false })
  }

  const note = useCallback((id: number, state: ReviewedState) => step({ kind: 'found', id, state }), [])
  const total = Math.max(list.data?.pages[0]?.total_count ?? 0, items.length)
  return {
    list,
    items,
    total,
    review,
    outcome,
    isReady: isReady && (isStarted.current || items.length === 0),
    canUndo: undoable !== undefined,
    decide,
    undo,
    note,
    go: (at: number) => step({ kind: 'go', at: Math.min(at, items.length) }),
  }
}

interface Sent {
  /** Why it was refused; absent if it was stored. */
  readonly error?: string
  /** The state that the server has, if it had already been decided or does not hold any more. */
  readonly state?: ReviewedState
}

/** Sends decisions; those about one suggestion in the order in which they were made. */
function useWrites() {
  const latest = useRef(new Map<number, Promise<Sent>>())
  const send = (id: number, action: Decision | 'reopen'): Promise<Sent> => {
    const sent = (latest.current.get(id) ?? Promise.resolve()).then(() => sendOne(id, action))
    latest.current.set(id, sent)
    return sent
  }
  return { send }
}

async function sendOne(id: number, action: Decision | 'reopen'): Promise<Sent> {
  const path = `${SUGGESTIONS}/${id}`
  try {
    const { data } = await call<{ data: Suggestion }>('POST', `${path}/${action}`)
    const { queryKey } = oneQuery<Suggestion>(path)
    // A response that is under way may have the former state.
    await queries.cancelQueries({ queryKey })
    queries.setQueryData(queryKey, data)
    void invalidate(...TOUCHED)
    return {}
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (error instanceof CallError && error.status === 404) return { error: text, state: 'gone' }
    if (!(error instanceof CallError) || error.status !== 409) return { error: text }
    const found = await call<{ data: Suggestion }>('GET', path).catch(() => undefined)
    return { error: text, ...(found && { state: found.data.state }) }
  }
}

export type ReviewOfSuggestions = ReturnType<typeof useReview>
