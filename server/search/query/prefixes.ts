import type { Bounds } from './ast.ts'

/** What a lexeme may be: exactly a text, or anything that begins with it. */
export interface Beginning {
  readonly text: string
  readonly isPrefix: boolean
}

/**
 * A range of texts as a union of beginnings: the index finds all lexemes with a beginning at once, but knows no ranges.
 * `alphabet` are the characters that the texts are made of, in their order.
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

  /** All that is above `low`; at the place where the two ends part, only what is below the other's character. */
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

  /** All that is below `high` and not found yet. */
  function addBelow(high: string): void {
    if (includesTo) exact(high)
    const start = from === null ? 0 : common + 1
    // Where `from` is a beginning of `to`, what comes after it begins right there.
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
