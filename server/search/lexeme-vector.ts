import { LAST_POSITION, POSITION_BITS, tsvectorBytes } from '../fast/tsvector.ts'
import type { TextCode } from './lexemes.ts'
import { wordBounds } from './word-bounds.ts'
import { cutWord, foldCase } from './words.ts'

// PostgreSQL's own limit is a megabyte. Words leave room, so that a report as long as a book keeps its tags and properties.
const MAX_LEXEMES = 5_000
const MAX_LEXEMES_WITH_WORD = MAX_LEXEMES - 1_000
const MAX_BYTES = 900_000
const MAX_BYTES_WITH_WORD = MAX_BYTES - 200_000

// As in PostgreSQL, a lexeme keeps its first positions.
const MAX_POSITIONS = 255

/** The number of lexemes at the start of a vector. */
const HEAD_BYTES = 4
/** A terminator behind its text, and the number of its positions. */
const LEXEME_OVERHEAD = 3
const POSITION_BYTES = 2
/** The letter of its text field before a word, and a separator. */
const CODE_BYTES = 2

/** A text that vectors of a batch have as a lexeme, and where the latest of them has it. */
interface Term {
  readonly text: string
  /** Its length in UTF-8. */
  readonly bytes: number
  vector: number
  /** The letter of the latest text field with this word; 0 for other lexemes. */
  code: number
  lexeme: number
}

/**
 * Builds the tsvectors of a batch, one at a time. Each word of a text is looked up once, in the terms of the whole batch,
 * because most words of a document occur in others as well; looking it up again per document would take twice as long.
 */
export class LexemeVectors {
  readonly #words = new Map<string, Term>()
  readonly #others = new Map<string, Term>()
  #vector = 0
  // The lexemes of the current vector: their terms, codes and positions.
  readonly #terms: Term[] = []
  readonly #codes = new Uint8Array(MAX_LEXEMES)
  readonly #counts = new Uint8Array(MAX_LEXEMES)
  readonly #lastPositions = new Uint16Array(MAX_LEXEMES)
  /** All positions in the order of the texts, each with its lexeme in the higher bits. */
  readonly #occurrences: number[] = []
  #count = 0
  #occurred = 0
  #bytes = HEAD_BYTES

  /** The distinct words of all texts. */
  words(): MapIterator<string> {
    return this.#words.keys()
  }

  /** Adds a lexeme without positions; if the vector is full, it is left out. */
  add(lexeme: string): void {
    const known = this.#others.get(lexeme)
    if (known?.vector === this.#vector) return
    const bytes = known?.bytes ?? Buffer.byteLength(lexeme)
    if (!this.#hasRoom(bytes, MAX_LEXEMES, MAX_BYTES)) return
    this.#append(known ?? newTerm(this.#others, lexeme, bytes), 0, bytes)
  }

  /** Adds the words of a text after a position, and returns the last one; further words of a full vector are left out. */
  addText(code: TextCode, text: string, after: number): number {
    const folded = foldCase(text)
    const bounds = wordBounds(folded)
    const codeByte = code.charCodeAt(0)
    let position = Math.min(after, LAST_POSITION)
    for (let i = 0; i < bounds.length; i += 2) {
      const word = cutWord(folded.slice(bounds[i], bounds[i + 1]))
      if (position < LAST_POSITION) position++
      const lexeme = this.#lexemeOf(word, codeByte)
      if (lexeme !== undefined) this.#addPosition(lexeme, position)
    }
    return position
  }

  #lexemeOf(word: string, code: number): number | undefined {
    const known = this.#words.get(word)
    // One field is added after the other, so the latest lexeme of a word is the only one that can be of this field.
    if (known?.vector === this.#vector && known.code === code) return known.lexeme
    const bytes = known?.bytes ?? Buffer.byteLength(word)
    if (!this.#hasRoom(CODE_BYTES + bytes, MAX_LEXEMES_WITH_WORD, MAX_BYTES_WITH_WORD)) return undefined
    return this.#append(known ?? newTerm(this.#words, word, bytes), code, CODE_BYTES + bytes)
  }

  #hasRoom(textBytes: number, maxLexemes: number, maxBytes: number): boolean {
    return this.#count < maxLexemes && this.#bytes + textBytes + LEXEME_OVERHEAD <= maxBytes
  }

  #append(term: Term, code: number, textBytes: number): number {
    const lexeme = this.#count++
    term.vector = this.#vector
    term.code = code
    term.lexeme = lexeme
    this.#terms[lexeme] = term
    this.#codes[lexeme] = code
    this.#counts[lexeme] = 0
    this.#lastPositions[lexeme] = 0
    this.#bytes += textBytes + LEXEME_OVERHEAD
    return lexeme
  }

  #addPosition(lexeme: number, position: number): void {
    const count = this.#counts[lexeme] ?? 0
    const isFull = count === MAX_POSITIONS || this.#bytes + POSITION_BYTES > MAX_BYTES_WITH_WORD
    if (isFull || this.#lastPositions[lexeme] === position) return
    this.#counts[lexeme] = count + 1
    this.#lastPositions[lexeme] = position
    this.#occurrences[this.#occurred++] = (lexeme << POSITION_BITS) | position
    this.#bytes += POSITION_BYTES
  }

  /** The vector in PostgreSQL's binary format. Begins the next one. */
  take(): Buffer {
    const vector = tsvectorBytes({
      count: this.#count,
      terms: this.#terms,
      codes: this.#codes,
      counts: this.#counts,
      occurrences: this.#occurrences,
      occurred: this.#occurred,
      bytes: this.#bytes,
    })
    this.#vector++
    this.#count = 0
    this.#occurred = 0
    this.#bytes = HEAD_BYTES
    return vector
  }
}

function newTerm(terms: Map<string, Term>, text: string, bytes: number): Term {
  const term = { text, bytes, vector: -1, code: 0, lexeme: 0 }
  terms.set(text, term)
  return term
}
