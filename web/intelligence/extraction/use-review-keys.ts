import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { type Shortcut, useShortcuts } from '../../ui/shortcuts.ts'

interface ReviewKeysOptions {
  readonly keys: readonly string[]
  readonly decide: (keys: readonly string[], decision: 'accepted' | 'refused') => void
}

/** The keys of a review. They move the focus between its items, and decide about the one that has it. */
export function useReviewKeys(options: ReviewKeysOptions): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useShortcuts(
    useMemo((): readonly Shortcut[] => {
      const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-review-key]') ?? [])]
      const current = () => rows().findIndex((row) => row.contains(document.activeElement))
      const move = (by: number) => {
        const all = rows()
        const at = current()
        const next = at < 0 ? all[0] : all[Math.max(0, Math.min(all.length - 1, at + by))]
        next?.focus()
        next?.scrollIntoView({ block: 'nearest' })
      }
      const decide = (decision: 'accepted' | 'refused') => () => {
        const row = rows()[current()]
        if (!row?.dataset.reviewKey) return move(0)
        latest.current.decide([row.dataset.reviewKey], decision)
        move(1)
      }
      const decideAll = (decision: 'accepted' | 'refused') => () => latest.current.decide(latest.current.keys, decision)
      const closed = (run: () => void) => () => {
        if (!document.querySelector('[aria-modal=true]')) run()
      }
      return [
        { keys: 'j', label: 'Next item', run: closed(() => move(1)) },
        { keys: 'k', label: 'Previous item', run: closed(() => move(-1)) },
        { keys: 'a', label: 'Accept the item', run: closed(decide('accepted')) },
        { keys: 'r', label: 'Refuse the item', run: closed(decide('refused')) },
        { keys: 'A', label: 'Accept all items', run: closed(decideAll('accepted')) },
        { keys: 'R', label: 'Refuse all items', run: closed(decideAll('refused')) },
      ]
    }, []),
  )
  return list
}
