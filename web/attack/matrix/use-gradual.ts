import { useEffect, useState } from 'react'
import type { Cell, Column } from './columns.ts'

/** The number of cells that are drawn at once: with all sub-techniques, a matrix would block the page. */
const CELLS_PER_FRAME = 120

/** The columns to draw now. Columns that changed follow frame by frame; the others stay the same objects, so that they are not drawn again. */
export function useGradual(columns: readonly Column[]): readonly Column[] {
  const [shown, setShown] = useState(() => advance([], columns))
  useEffect(() => {
    if (isDone(shown, columns)) return
    const frame = requestAnimationFrame(() => setShown(advance(shown, columns)))
    return () => cancelAnimationFrame(frame)
  }, [shown, columns])
  return shown
}

const isDone = (shown: readonly Column[], columns: readonly Column[]): boolean =>
  shown.length === columns.length && shown.every((column, i) => isSame(column, columns[i]))

/** Brings as many columns up to date as fit into one frame, and at least one. */
export function advance(shown: readonly Column[], columns: readonly Column[]): readonly Column[] {
  const next: Column[] = []
  let left = CELLS_PER_FRAME
  for (const [i, column] of columns.entries()) {
    const before = shown[i]
    if (before && isSame(before, column)) next.push(before)
    else if (left > 0) {
      left -= column.cells.length
      next.push(column)
    } else if (before) next.push(before)
    else break
  }
  return next
}

const isSame = (a: Column, b: Column | undefined): boolean =>
  a === b ||
  (b !== undefined &&
    a.tactic.id === b.tactic.id &&
    a.used === b.used &&
    a.count === b.count &&
    a.cells.length === b.cells.length &&
    a.cells.every((cell, i) => isSameCell(cell, b.cells[i])))

const isSameCell = (a: Cell, b: Cell | undefined): boolean =>
  b !== undefined &&
  a.place === b.place &&
  a.isOpen === b.isOpen &&
  a.face.mark === b.face.mark &&
  a.face.level === b.face.level &&
  a.face.gapLevel === b.face.gapLevel &&
  a.face.shareLevel === b.face.shareLevel &&
  a.face.text === b.face.text &&
  a.face.label === b.face.label
