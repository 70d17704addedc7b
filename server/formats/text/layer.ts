/** A text that was made from another by replacing pieces, and the way back to where they stood. */
export interface Layer {
  readonly text: string
  /** Where in the first text the character before which an offset lies began, and where it ended. */
  sourceOf(start: number, end: number): { readonly start: number; readonly end: number }
  /** Whether anything between two offsets stood there in another form. */
  isEdited(start: number, end: number): boolean
}

interface Edit {
  /** Where the new piece stands. */
  readonly at: number
  readonly length: number
  /** Where the old piece stood. */
  readonly from: number
  readonly to: number
  /** Whether it was only white space or something invisible that went. */
  readonly isSpacing: boolean
}

/** The new form of a piece; undefined where it stays as it is. */
export type Replace = (match: RegExpExecArray, text: string) => string | undefined

/** A text as it is. */
export const untouched = (text: string): Layer => ({
  text,
  sourceOf: (start, end) => ({ start, end }),
  isEdited: () => false,
})

/** The text of a layer with every match of a pattern replaced, in one pass. */
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

/** The place of the last edit that begins at or before an offset, or -1. */
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
