import type { Column } from './columns.ts'

/** Where an arrow key leads: to another column, or to another cell of the same one. */
export interface Step {
  readonly across: number
  readonly down: number
}

const STEPS: Readonly<Record<string, Step>> = {
  ArrowLeft: { across: -1, down: 0 },
  ArrowRight: { across: 1, down: 0 },
  ArrowUp: { across: 0, down: -1 },
  ArrowDown: { across: 0, down: 1 },
  Home: { across: 0, down: Number.NEGATIVE_INFINITY },
  End: { across: 0, down: Number.POSITIVE_INFINITY },
  PageUp: { across: 0, down: -10 },
  PageDown: { across: 0, down: 10 },
}

/** The step of a key; undefined for keys that do not move. */
export const stepFor = (key: string): Step | undefined => STEPS[key]

/** The cell that a step leads to. Columns without cells are skipped, and in a shorter column the last cell is closest. */
export function cellAt(
  columns: readonly Column[],
  from: string | undefined,
  { across, down }: Step,
): string | undefined {
  const filled = columns.filter(({ cells }) => cells.length > 0)
  const column = filled.findIndex(({ cells }) => cells.some(({ place }) => place.id === from))
  if (column < 0) return filled[0]?.cells[0]?.place.id
  const row = filled[column]?.cells.findIndex(({ place }) => place.id === from) ?? 0
  const { cells } = filled[clamped(column + across, filled.length)] ?? { cells: [] }
  return cells[clamped(row + down, cells.length)]?.place.id
}

const clamped = (index: number, length: number): number => Math.max(0, Math.min(length - 1, index))
