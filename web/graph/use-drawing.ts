import { useCallback, useRef, useState } from 'react'
import { amend, begin, type History, redo, take, undo } from './history.ts'
import { type Drawing, EMPTY } from './model.ts'

/** A graph that is changed in steps, each of which can be undone. */
export interface DrawingState {
  readonly history: History<Drawing>
  /** The current graph, even between two renders. */
  now(): Drawing
  reset(drawing: Drawing): void
  change(label: string, change: (drawing: Drawing) => Drawing): void
  /** Changes the graph as part of the last step. */
  amend(change: (drawing: Drawing) => Drawing): void
  undo(): void
  redo(): void
}

/** Holds a graph with its history. */
export function useDrawing(): DrawingState {
  const [history, setHistory] = useState<History<Drawing>>(() => begin(EMPTY))
  const latest = useRef(history)
  const put = useCallback((next: History<Drawing>) => {
    latest.current = next
    setHistory(next)
  }, [])
  return {
    history,
    now: useCallback(() => latest.current.present, []),
    reset: useCallback((drawing) => put(begin(drawing)), [put]),
    change: useCallback(
      (label, change) => {
        const next = change(latest.current.present)
        if (next !== latest.current.present) put(take(latest.current, label, next))
      },
      [put],
    ),
    amend: useCallback((change) => put(amend(latest.current, change(latest.current.present))), [put]),
    undo: useCallback(() => put(undo(latest.current)), [put]),
    redo: useCallback(() => put(redo(latest.current)), [put]),
  }
}
