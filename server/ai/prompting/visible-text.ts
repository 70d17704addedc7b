/** A text as its readers see it, with the way back to the original. */
export interface VisibleText {
  readonly text: string
  /** The place in the original of a place that is not empty. */
  originalOf(start: number, end: number): { readonly start: number; readonly end: number }
}

/** A piece that was kept. */
interface Kept {
  readonly at: number
  readonly from: number
}

/**
 * What readers do not see, or what changes the order of other characters: comments of HTML, ignorable and format characters, control characters
 * other than tabs and line breaks.
 */
const HIDDEN = /\r\n?|<!--|[\p{Default_Ignorable_Code_Point}\p{Cf}]+|(?![\n\t\r])\p{Cc}/gu

/** Removes what readers do not see. Line breaks become `\n`; a comment that is not closed ends the text, as in a browser. */
export function visibleText(original: string): VisibleText {
  const parts: string[] = []
  const kept: Kept[] = []
  let length = 0
  const keep = (part: string, from: number) => {
    if (part === '') return
    parts.push(part)
    kept.push({ at: length, from })
    length += part.length
  }
  let next = 0
  for (const { 0: hidden, index } of original.matchAll(HIDDEN)) {
    // Inside a comment.
    if (index < next) continue
    keep(original.slice(next, index), next)
    next = index + hidden.length
    if (hidden.startsWith('\r')) keep('\n', index)
    else if (hidden === '<!--') next = endOfComment(original, next)
    else if (CONTROL.test(hidden)) keep(' ', index)
  }
  keep(original.slice(next), next)
  const placeOf = (offset: number): number => {
    const { at, from } = kept[lastUpTo(kept, offset)] ?? { at: 0, from: 0 }
    return from + offset - at
  }
  return {
    text: parts.join(''),
    originalOf: (start, end) => ({ start: placeOf(start), end: placeOf(end - 1) + 1 }),
  }
}

const CONTROL = /^\p{Cc}$/u

function endOfComment(text: string, from: number): number {
  const end = text.indexOf('-->', from)
  return end < 0 ? text.length : end + '-->'.length
}

/** The position of the last piece that begins at or before an offset. */
function lastUpTo(kept: readonly Kept[], offset: number): number {
  let [low, high] = [0, kept.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((kept[middle]?.at ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
