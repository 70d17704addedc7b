// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the characters to remove
const REMOVED = /\r\n?|[\0-\x08\x0b\x0c\x0e-\x1f\x7f]+/g

/** Removes characters that the database cannot store or that are invisible. */
export const storable = (text: string): string =>
  text.toWellFormed().replace(REMOVED, (removed) => (removed.startsWith('\r') ? '\n' : ''))

/** A text as reports store it, and where its characters were before. */
export interface Storable {
  readonly text: string
  /** The offset in the original text of a character of this one. */
  readonly originalOf: (offset: number) => number
}

/** The storable form of a text, with the way back to the original offsets. */
export function storableWithOffsets(original: string): Storable {
  const text = storable(original)
  if (text.length === original.length) return { text, originalOf: (offset) => offset }
  const offsets = new Uint32Array(text.length + 1)
  let from = 0
  let to = 0
  const keepUntil = (end: number) => {
    while (from < end) offsets[to++] = from++
  }
  for (const { 0: removed, index } of original.matchAll(REMOVED)) {
    keepUntil(index)
    // A line break stays one.
    if (removed.startsWith('\r')) offsets[to++] = index
    from = index + removed.length
  }
  keepUntil(original.length)
  offsets[to] = original.length
  return { text, originalOf: (offset) => offsets[offset] ?? original.length }
}
