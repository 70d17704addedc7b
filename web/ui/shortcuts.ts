import { useEffect } from 'react'

/** Something that a key does, wherever one is on the page. */
export interface Shortcut {
  /** A key, `Ctrl+K` (which is Command+K on a Mac), or keys one after the other such as `g s`. */
  readonly keys: string
  readonly label: string
  readonly run: () => void
}

const shortcuts = new Set<Shortcut>()

/** All that keys do at the moment. */
export const allShortcuts = (): readonly Shortcut[] => [...shortcuts]

/** Lets keys do something while the caller is on the page. */
export function useShortcuts(own: readonly Shortcut[]): void {
  useEffect(() => {
    for (const each of own) shortcuts.add(each)
    return () => {
      for (const each of own) shortcuts.delete(each)
    }
  }, [own])
}

/** How long the first of two keys waits for the second. */
const PAIR_MS = 1_000

/** Listens for all keys of the page; called once. */
export function listenForShortcuts(): () => void {
  let first = ''
  let at = 0
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return
    const isHeld = event.ctrlKey || event.metaKey
    if (!isHeld && isTyping(event.target)) return
    const key = isHeld ? `Ctrl+${event.key.toUpperCase()}` : event.key
    const pair = performance.now() - at < PAIR_MS ? `${first} ${key}` : ''
    // The latest one wins: what is on top of a page comes after the page.
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
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
