import { useEffect, useMemo, useRef } from 'react'
import { type Shortcut, useShortcuts } from '../../ui/shortcuts.ts'
import type { Review } from './review.ts'

interface ReviewKeysOptions {
  readonly review: Review | undefined
  /** The ids of the selected successors. */
  readonly selected: readonly string[]
  readonly mayDecide: boolean
  readonly decide: (successors: readonly string[]) => void
  readonly move: (by: number) => void
}

/** Successors beyond this number are chosen with the mouse. */
const DIGITS = 9

/** The keys of a review. They do nothing below an open dialog. */
export function useReviewKeys(options: ReviewKeysOptions): void {
  const { mayDecide } = options
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useShortcuts(
    useMemo((): readonly Shortcut[] => {
      const guarded = (run: (options: ReviewKeysOptions) => void) => () => {
        if (!document.querySelector('[aria-modal=true]')) run(latest.current)
      }
      const choose = (place: number) =>
        guarded(({ review, decide }) => {
          const successor = review?.successors[place]
          if (successor) decide([successor.id])
        })
      const digits = Array.from({ length: DIGITS }, (_, i) => ({
        keys: String(i + 1),
        label: `Map to successor ${i + 1}`,
        run: choose(i),
      }))
      return [
        ...(mayDecide
          ? [
              ...digits,
              {
                keys: 'a',
                label: 'Map to all successors',
                run: guarded(({ review, decide }) => review && decide(review.successors.map(({ id }) => id))),
              },
              { keys: 'k', label: 'Keep the node', run: guarded(({ review, decide }) => review && decide([])) },
              {
                keys: 'm',
                label: 'Map to the selected successors',
                run: guarded(({ selected, decide }) => selected.length > 0 && decide(selected)),
              },
            ]
          : []),
        { keys: 's', label: 'Skip the node', run: guarded(({ move }) => move(1)) },
        { keys: 'ArrowRight', label: 'Next node', run: guarded(({ move }) => move(1)) },
        { keys: 'ArrowLeft', label: 'Previous node', run: guarded(({ move }) => move(-1)) },
      ]
    }, [mayDecide]),
  )
}
