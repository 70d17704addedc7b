import { useEffect } from 'react'

/** A keyboard shortcut. */
export interface Shortcut {
  /** A key, `Ctrl+K` (Command+K on a Mac), or a sequence of keys such as `g s`. */
  readonly keys: string
  readonly label: string
  readonly run: () => void
}

const shortcuts = new Set<Shortcut>()

/** All active shortcuts. */
export const allShortcuts = (): readonly Shortcut[] => [...shortcuts]

/** Registers shortcuts while the component is mounted. */
export function useShortcuts(own: readonly Shortcut[]): void {
  useEffect(() => {
    for (const each of own) shortcuts.add(each)
    return () => {
      for (const each of own) shortcuts.delete(each)
    }
  }, [own])
}

/** The time allowed between the two keys of a sequence. */
const PAIR_MS = 1_000

/** Listens for shortcuts on the whole page; called once. */
export function listenForShortcuts(): () => void {
  let first = ''
  let at = 0
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return
    const isHeld = event.ctrlKey || event.metaKey
    if (!isHeld && isTyping(event.target)) return
    const key = isHeld ? `Ctrl+${event.key.toUpperCase()}` : event.key
    const pair = performance.now() - at < PAIR_MS ? `${first} ${key}` : ''
    // The latest registration wins: a dialog is mounted after the page below it.
    const found =
      [...shortcuts].findLast(({ keys }) => keys === pair) ?? [...shortcuts].findLast(({ keys }) => keys === key)
    first = key
    at = performance.now()
    if (!found) return
    event.preventDefault()
    found.run()
  }
  document.addEventListener('keydown', listen)
  return () => document.removeEventListener('keydown', listen)
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  // A checkbox keeps the focus after a click, and uses no key but the space bar.
  !(target instanceof HTMLInputElement && target.type === 'checkbox')
