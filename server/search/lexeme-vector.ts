// PostgreSQL's own limit is a megabyte. Words leave room, so that a report as long as a book keeps its tags and properties.
const MAX_LEXEMES = 5_000
const MAX_LEXEMES_WITH_WORD = MAX_LEXEMES - 1_000
const MAX_BYTES = 900_000
const MAX_BYTES_WITH_WORD = MAX_BYTES - 200_000

// As in PostgreSQL: all further words have the last position, and a lexeme keeps its first positions.
const LAST_POSITION = 16_383
const MAX_POSITIONS = 255

/** A terminator behind its text, and the number of its positions. */
const LEXEME_OVERHEAD = 3
const POSITION_BYTES = 2

/** A tsvector that lexemes are added to; of what is too large the rest is left out. */
export class LexemeVector {
  /** The positions of each lexeme. */
  readonly #lexemes = new Map<string, number[]>()
  #bytes = 4

  /** Adds a lexeme without positions. */
  add(lexeme: string): void {
    if (!this.#lexemes.has(lexeme)) this.#insert(lexeme, MAX_LEXEMES, MAX_BYTES)
  }

  /** Adds a lexeme at a position in a text; says whether the vector has it. */
  addAt(lexeme: string, position: number): boolean {
    const positions = this.#lexemes.get(lexeme) ?? this.#insert(lexeme, MAX_LEXEMES_WITH_WORD, MAX_BYTES_WITH_WORD)
    if (!positions) return false
    const place = Math.min(position, LAST_POSITION)
    const isFull = positions.length === MAX_POSITIONS || this.#bytes + POSITION_BYTES > MAX_BYTES_WITH_WORD
    if (isFull || positions.at(-1) === place) return true
    positions.push(place)
    this.#bytes += POSITION_BYTES
    return true
  }

  #insert(lexeme: string, maxLexemes: number, maxBytes: number): number[] | undefined {
    const bytes = this.#bytes + Buffer.byteLength(lexeme) + LEXEME_OVERHEAD
    if (this.#lexemes.size === maxLexemes || bytes > maxBytes) return undefined
    const positions: number[] = []
    this.#lexemes.set(lexeme, positions)
    this.#bytes = bytes
    return positions
  }

  /** The vector in PostgreSQL's binary format: lexemes in any order, each terminated and followed by its positions. */
  toBuffer(): Buffer {
    const vector = Buffer.allocUnsafe(this.#bytes)
    // Encoded all at once: as many small writes take longer. No lexeme has a NUL inside.
    const texts = Buffer.from([...this.#lexemes.keys(), ''].join('\0'))
    let at = vector.writeInt32BE(this.#lexemes.size, 0)
    let from = 0
    for (const positions of this.#lexemes.values()) {
      const end = texts.indexOf(0, from) + 1
      at += texts.copy(vector, at, from, end)
      from = end
      at = vector.writeUInt16BE(positions.length, at)
      for (const position of positions) at = vector.writeUInt16BE(position, at)
    }
    return vector
  }
}
