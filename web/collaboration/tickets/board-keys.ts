/** The action of a key on a card. */
export type CardAction =
  | { readonly kind: 'move'; readonly step: 1 | -1 }
  | { readonly kind: 'go'; readonly column: number; readonly row: number }

interface Pressed {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
}

/** Arrow keys move between cards; with Shift they move the card to the next column. */
export function cardAction({ key, shiftKey, ctrlKey, altKey, metaKey }: Pressed): CardAction | undefined {
  if (ctrlKey || altKey || metaKey) return undefined
  const step = STEPS[key]
  if (!step) return undefined
  if (!shiftKey) return { kind: 'go', ...step }
  if (step.column === 0) return undefined
  return { kind: 'move', step: step.column > 0 ? 1 : -1 }
}

const STEPS: Readonly<Record<string, { readonly column: number; readonly row: number }>> = {
  ArrowLeft: { column: -1, row: 0 },
  ArrowRight: { column: 1, row: 0 },
  ArrowUp: { column: 0, row: -1 },
  ArrowDown: { column: 0, row: 1 },
}

/** The position next to a card, given the number of cards per column; empty columns are skipped. */
export function adjacentCard(
  counts: readonly number[],
  from: { readonly column: number; readonly row: number },
  by: { readonly column: number; readonly row: number },
): { readonly column: number; readonly row: number } {
  if (by.row !== 0) {
    const last = (counts[from.column] ?? 1) - 1
    return { column: from.column, row: Math.min(last, Math.max(0, from.row + by.row)) }
  }
  let column = from.column + by.column
  while (counts[column] === 0) column += by.column
  const count = counts[column]
  return count === undefined ? from : { column, row: Math.min(from.row, count - 1) }
}
