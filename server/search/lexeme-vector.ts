import { SEPARATOR, type TextCode } from './lexemes.ts'
import { cutWord, splitWords } from './words.ts'

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
/** The letter of its text field before a word, and a separator. */
const CODE_BYTES = 2

/** A tsvector that lexemes are added to; of what is too large the rest is left out. */
export class LexemeVector {
  readonly #lexemes = new Set<string>()
  /** The words of each text field, by its letter, with their positions. */
  readonly #words = new Map<TextCode, Map<string, number[]>>()
  #count = 0
  #bytes = 4

  /** Adds a lexeme without positions. */
  add(lexeme: string): void {
    if (this.#lexemes.has(lexeme) || !this.#reserve(Buffer.byteLength(lexeme), MAX_LEXEMES, MAX_BYTES)) return
    this.#lexemes.add(lexeme)
  }

  /** Adds the words of a text after a position, and returns the last one. */
  addText(code: TextCode, text: string, after: number): number {
    const words = this.#words.get(code) ?? new Map<string, number[]>()
    this.#words.set(code, words)
    const isAscii = Buffer.byteLength(text) === text.length
    let position = after
    for (const whole of splitWords(text)) {
      const word = cutWord(whole)
      const place = Math.min(++position, LAST_POSITION)
      const positions = words.get(word)
      const bytes = isAscii ? word.length : Buffer.byteLength(word)
      if (positions) this.#addPosition(positions, place)
      else if (this.#reserve(bytes + CODE_BYTES, MAX_LEXEMES_WITH_WORD, MAX_BYTES_WITH_WORD)) {
        const first: number[] = []
        words.set(word, first)
        this.#addPosition(first, place)
      }
    }
    return position
  }

  #addPosition(positions: number[], place: number): void {
    const isFull = positions.length === MAX_POSITIONS || this.#bytes + POSITION_BYTES > MAX_BYTES_WITH_WORD
    if (isFull || positions[positions.length - 1] === place) return
    positions.push(place)
    this.#bytes += POSITION_BYTES
  }

  #reserve(textBytes: number, maxLexemes: number, maxBytes: number): boolean {
    const bytes = this.#bytes + textBytes + LEXEME_OVERHEAD
    if (this.#count === maxLexemes || bytes > maxBytes) return false
    this.#bytes = bytes
    this.#count++
    return true
  }

  /** The distinct words of all texts. */
  words(): string[] {
    const all = new Set<string>()
    for (const words of this.#words.values()) for (const word of words.keys()) all.add(word)
    return [...all]
  }

  /** The vector in PostgreSQL's binary format: lexemes in any order, each terminated and followed by its positions. */
  toBuffer(): Buffer {
    // Encoded all at once: as many small writes take longer. No lexeme has a NUL inside.
    let texts = ''
    const positions: (readonly number[])[] = []
    for (const [code, words] of this.#words) {
      for (const [word, places] of words) {
        texts += `${code}${SEPARATOR}${word}\0`
        positions.push(places)
      }
    }
    for (const lexeme of this.#lexemes) texts += `${lexeme}\0`
    return assemble(Buffer.from(texts), positions, this.#count, this.#bytes)
  }
}

/** Byte by byte: calls of Buffer for a few bytes each take several times as long. */
function assemble(texts: Buffer, positions: readonly (readonly number[])[], count: number, size: number): Buffer {
  const vector = Buffer.allocUnsafe(size)
  let at = vector.writeInt32BE(count, 0)
  let from = 0
  for (let lexeme = 0; lexeme < count; lexeme++) {
    let byte = texts[from++] as number
    while (byte !== 0) {
      vector[at++] = byte
      byte = texts[from++] as number
    }
    const places = positions[lexeme] ?? NOWHERE
    vector[at++] = 0
    vector[at++] = 0
    vector[at++] = places.length
    for (const place of places) {
      vector[at++] = place >> 8
      vector[at++] = place & 0xff
    }
  }
  return vector
}

const NOWHERE: readonly number[] = []
