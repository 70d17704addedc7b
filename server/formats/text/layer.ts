/** A text derived from another by replacing pieces, with a mapping back to the original positions. */
export interface Layer {
  readonly text: string
  /** Returns the position in the original text that corresponds to a range. */
  sourceOf(start: number, end: number): { readonly start: number; readonly end: number }
  /** Whether anything in a range differs from the original. */
  isEdited(start: number, end: number): boolean
}

interface Edit {
  /** The position of the new piece. */
  readonly at: number
  readonly length: number
  /** The position of the old piece. */
  readonly from: number
  readonly to: number
  /** Whether only white space or invisible characters were removed. */
  readonly isSpacing: boolean
}

/** Returns the replacement of a piece; undefined to keep it. */
export type Replace = (match: RegExpExecArray, text: string) => string | undefined

/** A layer without changes. */
export const untouched = (text: string): Layer => ({
  text,
  sourceOf: (start, end) => ({ start, end }),
  isEdited: () => false,
})

/** Replaces every match of a pattern in one pass. */
export function replaced(below: Layer, pattern: RegExp, replace: Replace): Layer {
  const edits: Edit[] = []
  const parts: string[] = []
  let read = 0
  let written = 0
  for (const match of below.text.matchAll(pattern)) {
    const piece = match[0]
    const replacement = replace(match, below.text)
    if (replacement === undefined || replacement === piece) continue
    const kept = below.text.slice(read, match.index)
    parts.push(kept, replacement)
    written += kept.length
    read = match.index + piece.length
    const isSpacing = replacement.trim() === piece.replace(/[\s\u00ad\u200b-\u200d\u2060\ufeff]+/g, '')
    edits.push({ at: written, length: replacement.length, from: match.index, to: read, isSpacing })
    written += replacement.length
  }
  if (edits.length === 0) return below
  parts.push(below.text.slice(read))
  return layerOf(below, parts.join(''), edits)
}

function layerOf(below: Layer, text: string, edits: readonly Edit[]): Layer {
  return {
    text,
    sourceOf: (start, end) => below.sourceOf(oldStart(edits, start), oldEnd(edits, end)),
    isEdited(start, end) {
      for (let i = lastUpTo(edits, end - 1); i >= 0; i--) {
        const edit = edits[i]
        if (!edit || edit.at + edit.length < start) break
        if (!edit.isSpacing) return true
      }
      return below.isEdited(oldStart(edits, start), oldEnd(edits, end))
    },
  }
}

function oldStart(edits: readonly Edit[], offset: number): number {
  const edit = edits[lastUpTo(edits, offset)]
  if (!edit) return offset
  const behind = offset - (edit.at + edit.length)
  return behind < 0 ? edit.from : edit.to + behind
}

function oldEnd(edits: readonly Edit[], end: number): number {
  const edit = edits[lastUpTo(edits, end - 1)]
  if (!edit) return end
  const behind = end - (edit.at + edit.length)
  return behind <= 0 ? edit.to : edit.to + behind
}

/** Returns the index of the last edit that starts at or before an offset, or -1. */
function lastUpTo(edits: readonly Edit[], offset: number): number {
  let low = 0
  let high = edits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((edits[middle]?.at ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}
