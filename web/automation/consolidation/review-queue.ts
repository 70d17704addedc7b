import { type Decision, type ReviewedState, stateAfter } from './suggestion.ts'

/** How far a review has come. Suggestions keep their place when they are decided, so that one can go back to them. */
export interface Review {
  /** The position of the suggestion on screen; that of the end if all were shown. */
  readonly at: number
  /** The states of the suggestions that were decided during the review. */
  readonly decided: ReadonlyMap<number, ReviewedState>
  /** The user's own decisions that were not undone, the latest last. */
  readonly own: readonly { readonly id: number; readonly at: number }[]
}

export type ReviewStep =
  | { readonly kind: 'decide'; readonly id: number; readonly decision: Decision }
  | { readonly kind: 'go'; readonly at: number }
  /** The decision could not be stored; the suggestion is open again. */
  | { readonly kind: 'failed'; readonly id: number }
  /** Another user had decided before, or the suggestion does not hold any more. */
  | { readonly kind: 'found'; readonly id: number; readonly state: ReviewedState }
  | { readonly kind: 'undone'; readonly id: number }

/** A review that starts with the suggestion at a position. */
export const startOf = (at = 0): Review => ({ at, decided: new Map(), own: [] })

/** The review after a step. */
export function stepped(review: Review, step: ReviewStep): Review {
  switch (step.kind) {
    case 'decide':
      return {
        at: review.at + 1,
        decided: new Map(review.decided).set(step.id, stateAfter(step.decision)),
        own: [...without(review.own, step.id), { id: step.id, at: review.at }],
      }
    case 'go':
      return { ...review, at: Math.max(0, step.at) }
    case 'failed':
      return { ...review, decided: withoutState(review.decided, step.id), own: without(review.own, step.id) }
    case 'found':
      return { ...review, decided: new Map(review.decided).set(step.id, step.state), own: without(review.own, step.id) }
    case 'undone':
      return {
        at: review.own.find(({ id }) => id === step.id)?.at ?? review.at,
        decided: withoutState(review.decided, step.id),
        own: without(review.own, step.id),
      }
  }
}

const without = (own: Review['own'], id: number): Review['own'] => own.filter((each) => each.id !== id)

function withoutState(decided: Review['decided'], id: number): Review['decided'] {
  const left = new Map(decided)
  left.delete(id)
  return left
}

/** The latest decision that can be undone exactly: consolidating two entities may have joined whole groups, so only refusals can. */
export function lastUndoable({ own, decided }: Review): number | undefined {
  const last = own.at(-1)
  return last && decided.get(last.id) === 'refused' ? last.id : undefined
}

/** The position of the first suggestion that is still open. */
export function firstOpen(ids: readonly number[], { decided }: Pick<Review, 'decided'>): number | undefined {
  const at = ids.findIndex((id) => !decided.has(id))
  return at === -1 ? undefined : at
}

/** Progress in words: “12 of 240”. */
export const progressInWords = (at: number, total: number): string =>
  `${Math.min(at + 1, total).toLocaleString('en')} of ${total.toLocaleString('en')}`
