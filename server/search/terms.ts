import { isLearned, learn } from './learned.ts'
import { findWords } from './word-bounds.ts'
import { cutWord, WORD_BYTES } from './words.ts'

/** The most distinct terms that there is room for; a thousand of them are kept for others than words. */
export const TERMS = 5_000
const TERMS_IN_WORDS = TERMS - 1_000

// The longest term; PostgreSQL takes lexemes of 2,046 bytes.
const TERM_BYTES = 2_000
const WORD_LIMIT = WORD_BYTES

// All terms in UTF-8, one after the other: a term ends where the next one starts.
const bytes = Buffer.allocUnsafeSlow(1 << 20)
const LAST_START = bytes.length - TERM_BYTES - 4
const LAST_START_IN_WORDS = LAST_START - 200_000
const starts = new Int32Array(TERMS + 1)

// Open addressing: a slot holds the number of a term plus one; if that is another term, the next slot is tried.
const slots = new Int32Array(1 << 14)
const slotMask = slots.length - 1
const slotOf = new Int32Array(TERMS)
const hashes = new Int32Array(TERMS)

// Another one in every process, so that nobody can prepare a text whose words all fall into one slot.
const SEED = Math.trunc(Math.random() * 0x7fffffff)

const PRIME = 0x01000193
const SECOND_PRIME = 0x27d4eb2f

const termUnits = new Uint16Array(TERM_BYTES)
let termsOfText = new Int32Array(1_024)
let count = 0

/** The words of a text as terms, in order, valid until the next text. */
export interface TextTerms {
  /** The number of a term each, or -1 for a word that there is no room for. */
  readonly terms: Int32Array
  readonly count: number
}

/** Forgets all terms. */
export function clearTerms(): void {
  for (let term = 0; term < count; term++) slots[slotOf[term] as number] = 0
  count = 0
}

/** Turns the words of a folded text into terms; those that are new here and not learned go into `newWords`. */
export function internWords(text: string, newWords: string[]): TextTerms {
  const { units, bounds, count: found } = findWords(text)
  if (found > termsOfText.length) termsOfText = new Int32Array(2 * found)
  const terms = termsOfText
  for (let word = 0; word < found; word++) {
    const start = bounds[2 * word] as number
    const end = bounds[2 * word + 1] as number
    const known = count
    const mayAdd = known < TERMS_IN_WORDS && (starts[known] as number) < LAST_START_IN_WORDS
    terms[word] = intern(units, start, end, WORD_LIMIT, mayAdd)
    if (count > known && !isLearned(hashes[known] as number, secondHash(known))) {
      newWords.push(cutWord(text.slice(start, end)))
    }
  }
  return { terms, count: found }
}

/** The number of a term, given in two parts, or -1 if there is no room for it. */
export function internTerm(prefix: Uint16Array, rest: string): number {
  const middle = prefix.length
  const length = Math.min(middle + rest.length, TERM_BYTES)
  for (let index = 0; index < middle; index++) termUnits[index] = prefix[index] as number
  for (let index = middle; index < length; index++) termUnits[index] = rest.charCodeAt(index - middle)
  return internUnits(length)
}

/** The same in lower case, where the rest is of printable ASCII; undefined where it is not. */
export function internPlain(prefix: Uint16Array, rest: string): number | undefined {
  const middle = prefix.length
  const length = middle + rest.length
  if (length > TERM_BYTES) return undefined
  for (let index = 0; index < middle; index++) termUnits[index] = prefix[index] as number
  for (let index = middle; index < length; index++) {
    const unit = rest.charCodeAt(index - middle)
    if (unit < 0x20 || unit >= 0x7f) return undefined
    termUnits[index] = unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit
  }
  return internUnits(length)
}

const internUnits = (length: number): number =>
  intern(termUnits, 0, length, TERM_BYTES, count < TERMS && (starts[count] as number) < LAST_START)

/** How many bytes a term has. */
export function termLength(term: number): number {
  return (starts[term + 1] as number) - (starts[term] as number)
}

/** Writes a term and returns where it ends. */
export function writeTerm(term: number, into: Buffer, at: number): number {
  const end = starts[term + 1] as number
  let next = at
  for (let index = starts[term] as number; index < end; index++) into[next++] = bytes[index] as number
  return next
}

/** Writes a term after the last one and looks whether it is there already; terms are numbered as they are first met. */
function intern(units: Uint16Array, from: number, to: number, limit: number, mayAdd: boolean): number {
  const start = starts[count] as number
  const stop = Math.min(to, from + limit)
  let end = start
  let hash = SEED
  let index = from
  for (; index < stop; index++) {
    const unit = units[index] as number
    if (unit >= 0x80) break
    bytes[end++] = unit
    hash = Math.imul(hash ^ unit, PRIME)
  }
  // What follows the first character beyond ASCII, apart from the loop above, which most terms never leave.
  const rest = end
  if (index < stop) end = writeCharacters(units, index, to, end, start + limit)
  for (let at = rest; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), PRIME)
  return find(hash ^ (hash >>> 15), start, end, mayAdd)
}

function find(hash: number, start: number, end: number, mayAdd: boolean): number {
  let slot = hash & slotMask
  for (let found = slots[slot] as number; found !== 0; found = slots[slot] as number) {
    if (hashes[found - 1] === hash && isSame(found - 1, start, end)) return found - 1
    slot = (slot + 1) & slotMask
  }
  if (!mayAdd) return -1
  slots[slot] = count + 1
  slotOf[count] = slot
  hashes[count] = hash
  starts[count + 1] = end
  return count++
}

/** Notes that a word need not be given again; it is one that was. */
export function learnWord(word: string): void {
  for (let index = 0; index < word.length; index++) termUnits[index] = word.charCodeAt(index)
  clearTerms()
  const term = intern(termUnits, 0, word.length, WORD_LIMIT, true)
  learn(hashes[term] as number, secondHash(term))
}

/** Tells apart words whose first hash is the same: one that is taken for another would never be found by a pattern. */
function secondHash(term: number): number {
  const end = starts[term + 1] as number
  let hash = ~SEED
  for (let index = starts[term] as number; index < end; index++) {
    hash = Math.imul(hash ^ (bytes[index] as number), SECOND_PRIME)
    hash ^= hash >>> 13
  }
  return hash
}

function isSame(term: number, start: number, end: number): boolean {
  if (termLength(term) !== end - start) return false
  let other = starts[term] as number
  for (let index = start; index < end; index++) {
    if (bytes[index] !== bytes[other++]) return false
  }
  return true
}

/** Writes UTF-16 as UTF-8, as many whole characters as fit before `last`, and returns where they end. */
function writeCharacters(units: Uint16Array, from: number, to: number, at: number, last: number): number {
  let end = at
  for (let index = from; index < to; index++) {
    const character = characterAt(units, index)
    const size = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4
    if (end + size > last) return end
    writeCharacter(character, size, end)
    end += size
    if (size === 4) index++
  }
  return end
}

function characterAt(units: Uint16Array, index: number): number {
  const unit = units[index] as number
  if (unit < 0xd800 || unit > 0xdfff) return unit
  return ((unit - 0xd800) << 10) + ((units[index + 1] as number) - 0xdc00) + 0x10000
}

function writeCharacter(character: number, size: number, at: number): void {
  let rest = character
  for (let index = at + size - 1; index > at; index--) {
    bytes[index] = 0x80 | (rest & 0x3f)
    rest >>= 6
  }
  bytes[at] = size === 1 ? rest : ((0xf00 >> size) & 0xff) | rest
}
