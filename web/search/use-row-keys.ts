import type { KeyboardEvent } from 'react'

interface RowKeys {
  readonly active: number
  readonly count: number
  readonly go: (index: number) => void
  readonly select: (index: number, isRange: boolean) => void
  readonly look: (index: number) => void
  readonly open: (index: number) => void
}

/** The number of rows per page. */
const PAGE_ROWS = 15

/** The keyboard handling of rows: arrows move, Space selects, Enter opens the preview, O opens the page; Shift selects a range. */
export function useRowKeys({ active, count, go, select, look, open }: RowKeys): (event: KeyboardEvent) => void {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    j: 1,
    k: -1,
    PageDown: PAGE_ROWS,
    PageUp: -PAGE_ROWS,
    Home: -count,
    End: count,
  }
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = steps[event.key]
    const acts: Readonly<Record<string, (() => void) | undefined>> = {
      ' ': () => select(active, event.shiftKey),
      x: () => select(active, false),
      Enter: () => look(active),
      o: () => open(active),
    }
    const act =
      step === undefined
        ? acts[event.key]
        : () => {
            const index = Math.max(0, Math.min(count - 1, active + step))
            if (event.shiftKey && Math.abs(step) === 1) select(index, true)
            go(index)
          }
    if (!act) return
    event.preventDefault()
    act()
  }
}
