import type { Bounds } from './ast.ts'

/** A condition on a lexeme: it equals a text, or begins with it. */
export interface Beginning {
  readonly text: string
  readonly isPrefix: boolean
}

/**
 * Converts a range of texts to a union of prefixes, because the index supports prefixes but not ranges. `alphabet` contains the
 * characters that occur in the texts, in order.
 */
export function beginningsOf({ from, to, includesFrom, includesTo }: Bounds<string>, alphabet: string): Beginning[] {
  if (from !== null && to !== null && (from > to || (from === to && !(includesFrom && includesTo)))) return []
  const common = from === null || to === null ? 0 : sharedLength(from, to)
  const found: Beginning[] = []
  const exact = (text: string) => found.push({ text, isPrefix: false })
  const prefix = (text: string) => found.push({ text, isPrefix: true })
  if (from === null && to === null) return [{ text: '', isPrefix: true }]
  if (from !== null) addAbove(from, to?.[common] !== undefined && to.length > common ? common : -1)
  if (to !== null) addBelow(to)
  return found

  /** Adds everything above `low`. Where the two ends diverge, only up to the character of the other end. */
  function addAbove(low: string, parting: number): void {
    if (includesFrom && !(to !== null && low === to)) exact(low)
    if (to === null || !to.startsWith(low)) {
      for (const c of alphabet) prefix(low + c)
    }
    for (let i = low.length - 1; i >= (to === null ? 0 : common); i--) {
      for (const c of alphabet) {
        const isBetween = c > (low[i] ?? '') && (i !== parting || c < (to?.[i] ?? ''))
        if (isBetween) prefix(low.slice(0, i) + c)
      }
    }
  }

  /** Adds everything below `high` that is not covered yet. */
  function addBelow(high: string): void {
    if (includesTo) exact(high)
    const start = from === null ? 0 : common + 1
    // If `from` is a prefix of `to`, the rest of the range begins right after it.
    const first = from !== null && from.length === common ? common : start
    for (let i = first; i < high.length; i++) {
      if (i > 0 && (from === null || i > common)) exact(high.slice(0, i))
      for (const c of alphabet) if (c < (high[i] ?? '')) prefix(high.slice(0, i) + c)
    }
  }
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}
