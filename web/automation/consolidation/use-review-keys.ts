import { useEffect, useMemo, useRef } from 'react'
import { useMay } from '../../api/session.ts'
import { type Shortcut, useShortcuts } from '../../ui/shortcuts.ts'
import type { Decision, Suggestion } from './suggestion.ts'
import type { ReviewOfSuggestions } from './use-review.ts'

interface ReviewKeysOptions {
  readonly review: ReviewOfSuggestions
  readonly current: Suggestion | undefined
  /** The titles of both entities, once they are loaded: what is not on screen cannot be decided. */
  readonly titles: { readonly first: string; readonly second: string } | undefined
}

/** The keys of a review. They do nothing below an open dialog, and a key that is held down decides only once. */
export function useReviewKeys(options: ReviewKeysOptions): void {
  const mayDecide = useMay()('modify entities')
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const isRepeated = useIsRepeated()
  useShortcuts(
    useMemo((): readonly Shortcut[] => {
      const guarded = (run: (options: ReviewKeysOptions) => void) => () => {
        if (!isRepeated.current && !document.querySelector('[aria-modal=true]')) run(latest.current)
      }
      const decide = (decision: Decision) =>
        guarded(({ review, current, titles }) => {
          if (!current || !titles || review.review.decided.has(current.id)) return
          void review.decide(current, decision, titles.first, titles.second)
        })
      const move = (by: number) => guarded(({ review }) => review.go(review.review.at + by))
      return [
        ...(mayDecide
          ? [
              { keys: 'a', label: 'Consolidate the pair', run: decide('accept') },
              { keys: 'r', label: 'The pair is not the same', run: decide('refuse') },
              { keys: 'z', label: 'Undo the last decision', run: guarded(({ review }) => void review.undo()) },
            ]
          : []),
        { keys: 's', label: 'Skip the pair', run: move(1) },
        { keys: 'ArrowRight', label: 'Next pair', run: move(1) },
        { keys: 'ArrowLeft', label: 'Previous pair', run: move(-1) },
      ]
    }, [mayDecide, isRepeated]),
  )
}

function useIsRepeated() {
  const isRepeated = useRef(false)
  useEffect(() => {
    const note = (event: KeyboardEvent) => {
      isRepeated.current = event.repeat
    }
    document.addEventListener('keydown', note, true)
    return () => document.removeEventListener('keydown', note, true)
  }, [])
  return isRepeated
}
