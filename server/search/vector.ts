import { SEPARATOR, type TextCode, VALUE_BYTES } from './lexemes.ts'
import { clearTerms, internPlain, internTerm, internWords, type Prefix, TERMS, termLength, writeTerm } from './terms.ts'

// PostgreSQL's own limit is a megabyte. Words leave room, so that a report as long as a book keeps its tags and properties.
const LEXEMES = TERMS
const LEXEMES_IN_WORDS = LEXEMES - 1_000
const BYTES = 900_000
const BYTES_IN_WORDS = BYTES - 200_000

// As in PostgreSQL: all further words stand at the last position, and a lexeme keeps its first positions.
const LAST_POSITION = 16_383
const POSITIONS = 255

const SEPARATOR_BYTE = SEPARATOR.charCodeAt(0)

// One vector is built at a time, from begin to end without waiting, so they all use the same room.
// The term of a lexeme is its word, or all of it; then it has no code.
const NO_CODE = 0
const NO_LEXEME = -1
const lexemeTerms = new Int32Array(LEXEMES)
const lexemeCodes = new Uint8Array(LEXEMES)
const positionCounts = new Uint8Array(LEXEMES)
const lastPositions = new Uint16Array(LEXEMES)
const cursors = new Int32Array(LEXEMES)
const lexemeOfTerm = new Int32Array(TERMS).fill(NO_LEXEME)
const occurrences = new Int32Array(BYTES / 2)

let lexemes = 0
let occurred = 0
let size = 4

/** Starts an empty vector. */
export function beginVector(): void {
  clearTerms()
  for (let lexeme = 0; lexeme < lexemes; lexeme++) lexemeOfTerm[lexemeTerms[lexeme] as number] = NO_LEXEME
  lexemes = 0
  occurred = 0
  size = 4
}

/** Adds a lexeme without positions; what it begins with may come apart. */
export function addLexeme(rest: string, prefix?: Prefix): void {
  addTerm(internTerm(rest, prefix))
}

/** Adds a whole string in lower case if it is short and of printable ASCII, as nearly all are; says whether it did. */
export function addPlainKeyword(value: string, prefix: Prefix): boolean {
  if (value.length > VALUE_BYTES) return false
  const term = internPlain(value, prefix)
  if (term === undefined) return false
  addTerm(term)
  return true
}

function addTerm(term: number): void {
  if (term >= 0 && lexemeOfTerm[term] === NO_LEXEME) addLexemeOf(term, NO_CODE, LEXEMES, BYTES)
}

/** Adds the words of a text after a position and returns the last one; words that are new in the vector go into `newWords`. */
export function addText(code: TextCode, text: string, after: number, newWords: string[]): number {
  const codeByte = code.charCodeAt(0)
  const { terms, count } = internWords(text, newWords)
  let position = Math.min(after, LAST_POSITION)
  for (let word = 0; word < count; word++) {
    if (position < LAST_POSITION) position++
    const term = terms[word] as number
    if (term < 0) continue
    let lexeme = lexemeOfTerm[term] as number
    // Fields come one after the other, so the latest lexeme of a word is the only one that can be of this field.
    if (lexeme === NO_LEXEME || lexemeCodes[lexeme] !== codeByte) {
      lexeme = addLexemeOf(term, codeByte, LEXEMES_IN_WORDS, BYTES_IN_WORDS)
    }
    if (lexeme !== NO_LEXEME) addPosition(lexeme, position)
  }
  return position
}

/** The vector in the form that PostgreSQL receives: lexemes in any order, each terminated and followed by its positions. */
export function endVector(): Buffer {
  const vector = Buffer.allocUnsafe(size)
  let at = vector.writeInt32BE(lexemes, 0)
  for (let lexeme = 0; lexeme < lexemes; lexeme++) {
    const code = lexemeCodes[lexeme] as number
    if (code !== NO_CODE) {
      vector[at++] = code
      vector[at++] = SEPARATOR_BYTE
    }
    at = writeTerm(lexemeTerms[lexeme] as number, vector, at)
    const count = positionCounts[lexeme] as number
    vector[at++] = 0
    vector[at++] = 0
    vector[at++] = count
    cursors[lexeme] = at
    at += 2 * count
  }
  writePositions(vector)
  return vector
}

function writePositions(vector: Buffer): void {
  for (let index = 0; index < occurred; index++) {
    const occurrence = occurrences[index] as number
    const lexeme = occurrence >> 14
    const cursor = cursors[lexeme] as number
    vector[cursor] = (occurrence >> 8) & 0x3f
    vector[cursor + 1] = occurrence & 0xff
    cursors[lexeme] = cursor + 2
  }
}

function addLexemeOf(term: number, code: number, lexemeLimit: number, byteLimit: number): number {
  // A word has its code and a separator in front; every lexeme a terminator and the number of its positions behind.
  const next = size + termLength(term) + (code === NO_CODE ? 3 : 5)
  if (lexemes === lexemeLimit || next > byteLimit) return NO_LEXEME
  size = next
  lexemeTerms[lexemes] = term
  lexemeCodes[lexemes] = code
  positionCounts[lexemes] = 0
  lastPositions[lexemes] = 0
  lexemeOfTerm[term] = lexemes
  return lexemes++
}

function addPosition(lexeme: number, position: number): void {
  const count = positionCounts[lexeme] as number
  if (count === POSITIONS || position === lastPositions[lexeme] || size + 2 > BYTES_IN_WORDS) return
  positionCounts[lexeme] = count + 1
  lastPositions[lexeme] = position
  occurrences[occurred++] = (lexeme << 14) | position
  size += 2
}
