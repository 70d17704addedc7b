import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useReducer, useRef, useState } from 'react'
import { CallError, call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { endlessQuery } from '../../api/lists.ts'
import { POLICIES } from './policy.ts'
import { lastUndoable, startOf, stepped } from './review-queue.ts'
import {
  type Decision,
  decidedInWords,
  SUGGESTIONS,
  type Suggestion,
  type SuggestionFilters,
  type SuggestionState,
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
      setOutcome({
        text: `${pair} had already been decided: ${result.state === 'accepted' ? 'they are consolidated' : 'they are not the same'}.`,
        isFault: true,
      })
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
    step({ kind: 'undone', id: undoable })
    const result = await writes.send(undoable, 'reopen')
    if (result.error !== undefined) {
      step({ kind: 'found', id: undoable, state: result.state ?? 'refused' })
      setOutcome({ text: `The decision could not be undone: ${result.error}`, isFault: true })
    } else setOutcome({ text: 'Undone. The suggestion is open again.', isFault: false })
  }

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
    go: (at: number) => step({ kind: 'go', at: Math.min(at, items.length) }),
  }
}

interface Sent {
  /** Why it was refused; absent if it was stored. */
  readonly error?: string
  /** The state that the server has, if it had already been decided. */
  readonly state?: SuggestionState
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
    await call('POST', `${path}/${action}`)
    void invalidate(...TOUCHED)
    return {}
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (!(error instanceof CallError) || error.status !== 409) return { error: text }
    const found = await call<{ data: Suggestion }>('GET', path).catch(() => undefined)
    return { error: text, ...(found && { state: found.data.state }) }
  }
}

export type ReviewOfSuggestions = ReturnType<typeof useReview>
