import { useEffect, useState } from 'react'
import type { Cell, Column } from './columns.ts'

/** The number of cells that are drawn at once: with all sub-techniques, a matrix would block the page. */
export const CELLS_PER_FRAME = 60

/**
 * The columns to draw now. Cells that changed follow frame by frame; columns that did not stay the same objects, so that they are not drawn
 * again.
 */
export function useGradual(columns: readonly Column[]): {
  readonly drawn: readonly Column[]
  readonly isDone: boolean
} {
  const [drawn, setDrawn] = useState(() => advance([], columns))
  const done = isDone(drawn, columns)
  useEffect(() => {
    if (done) return
    const frame = requestAnimationFrame(() => setDrawn(advance(drawn, columns)))
    return () => cancelAnimationFrame(frame)
  }, [drawn, columns, done])
  return { drawn, isDone: done }
}

/** Whether nothing is left to draw. */
export const isDone = (drawn: readonly Column[], columns: readonly Column[]): boolean =>
  drawn.length === columns.length && drawn.every((column, i) => isSame(column, columns[i]))

/** Brings as many cells up to date as fit into one frame. Below them, a column keeps its old ones until it is their turn. */
export function advance(drawn: readonly Column[], columns: readonly Column[]): readonly Column[] {
  const next: Column[] = []
  let left = CELLS_PER_FRAME
  for (const [i, column] of columns.entries()) {
    const before = drawn[i]
    if (before && (left === 0 || isSame(before, column))) next.push(before)
    else if (left === 0) break
    else {
      const old = before?.tactic.id === column.tactic.id ? before.cells : []
      const end = sameCells(old, column.cells) + left
      const cells = column.cells.slice(0, end)
      const ids = new Set(cells.map(({ place }) => place.id))
      const isWhole = end >= column.cells.length
      next.push(isWhole ? column : { ...column, cells: [...cells, ...old.filter(({ place }) => !ids.has(place.id))] })
      left = isWhole ? end - column.cells.length : 0
    }
  }
  return next
}

/** The number of first cells that are the same. */
function sameCells(a: readonly Cell[], b: readonly Cell[]): number {
  const first = a.findIndex((cell, i) => !isSameCell(cell, b[i]))
  return first < 0 ? a.length : first
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
