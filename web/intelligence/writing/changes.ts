/** A change that a language model suggests, with offsets in the text that was sent. */
export interface TextChange {
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
}

/** A part of a text, or a change of it with its position in the list. */
export type Part = { readonly text: string } | { readonly change: TextChange; readonly index: number }

/** A text as its unchanged parts and the changes between them, in order. */
export function partsOf(text: string, changes: readonly TextChange[]): readonly Part[] {
  const parts: Part[] = []
  let read = 0
  for (const [index, change] of changes.entries()) {
    if (change.start > read) parts.push({ text: text.slice(read, change.start) })
    parts.push({ change, index })
    read = change.end
  }
  return read < text.length ? [...parts, { text: text.slice(read) }] : parts
}

/** The text with those changes that are not refused. */
export const withChanges = (text: string, changes: readonly TextChange[], refused: ReadonlySet<number>): string =>
  partsOf(text, changes)
    .map((part) => ('text' in part ? part.text : refused.has(part.index) ? part.change.before : part.change.after))
    .join('')
