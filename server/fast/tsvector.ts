/** The bits of a position. PostgreSQL gives all further words of a text the last one. */
export const POSITION_BITS = 14
export const LAST_POSITION = (1 << POSITION_BITS) - 1

/** Stands between the letter of a text field and a word. */
const SEPARATOR_BYTE = 0x1f
const POSITION_BYTES = 2

/** The lexemes of a tsvector in any order; only the first `count` items of each list are used. */
export interface Lexemes {
  readonly count: number
  /** Their texts, each with its length in UTF-8. */
  readonly terms: readonly { readonly text: string; readonly bytes: number }[]
  /** The letter of the text field that a lexeme belongs to, or 0. */
  readonly codes: Uint8Array
  /** The number of their positions. */
  readonly counts: Uint8Array
  /** All positions in ascending order, each with its lexeme in the higher bits; the first `occurred` items are used. */
  readonly occurrences: readonly number[]
  readonly occurred: number
  /** The size of the vector. */
  readonly bytes: number
}

/**
 * A tsvector in PostgreSQL's binary format: the number of lexemes, and each with a terminator and its positions. Written byte by
 * byte, because calls of Buffer for a few bytes each take several times as long.
 */
export function tsvectorBytes({ count, terms, codes, counts, occurrences, occurred, bytes: size }: Lexemes): Buffer {
  const vector = Buffer.allocUnsafe(size)
  const nextPosition = new Int32Array(count)
  let at = vector.writeInt32BE(count, 0)
  for (let lexeme = 0; lexeme < count; lexeme++) {
    const { text = '', bytes = 0 } = terms[lexeme] ?? {}
    const code = codes[lexeme] ?? 0
    if (code > 0) {
      vector[at++] = code
      vector[at++] = SEPARATOR_BYTE
    }
    if (bytes === text.length) writeAscii(vector, text, at)
    else vector.write(text, at)
    at += bytes
    const positions = counts[lexeme] ?? 0
    vector[at++] = 0
    vector[at++] = 0
    vector[at++] = positions
    nextPosition[lexeme] = at
    at += POSITION_BYTES * positions
  }
  for (let i = 0; i < occurred; i++) {
    const occurrence = occurrences[i] ?? 0
    const lexeme = occurrence >> POSITION_BITS
    const place = nextPosition[lexeme] ?? 0
    vector[place] = (occurrence & LAST_POSITION) >> 8
    vector[place + 1] = occurrence & 0xff
    nextPosition[lexeme] = place + POSITION_BYTES
  }
  return vector
}

function writeAscii(into: Buffer, text: string, from: number): void {
  for (let i = 0; i < text.length; i++) into[from + i] = text.charCodeAt(i)
}
