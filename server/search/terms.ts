import { isLearned, learn } from './learned.ts'
import { classes, findWords, joins } from './word-bounds.ts'
import { WORD_CLASSES } from './word-classes.ts'
import { cutWord, foldCase, WORD_BYTES } from './words.ts'

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

const NO_PREFIX: Prefix = { bytes: new Uint8Array(0), hash: SEED }

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

/** Turns the words of a text into terms; those that are new here and not learned go into `newWords`, in lower case. */
export function internWords(text: string, newWords: string[]): TextTerms {
  return internPlainWords(text, newWords) ?? internAnyWords(foldCase(text), newWords)
}

function internAnyWords(text: string, newWords: string[]): TextTerms {
  const { units, bounds, count: found } = findWords(text)
  const terms = roomForTerms(found)
  for (let word = 0; word < found; word++) {
    const start = bounds[2 * word] as number
    const end = bounds[2 * word + 1] as number
    const known = count
    terms[word] = intern(NO_PREFIX, units, start, end, WORD_LIMIT, mayAddWord())
    if (count > known && !isLearned(hashes[known] as number, secondHash(known))) {
      newWords.push(cutWord(text.slice(start, end)))
    }
  }
  return { terms, count: found }
}

function roomForTerms(most: number): Int32Array {
  if (most > termsOfText.length) termsOfText = new Int32Array(2 * most)
  return termsOfText
}

const mayAddWord = (): boolean => count < TERMS_IN_WORDS && (starts[count] as number) < LAST_START_IN_WORDS

// Text of ASCII, as most is, with two bytes behind it that are in no word.
let plain = Buffer.alloc(0)
const { JOINER, OTHER } = WORD_CLASSES
const plainClasses = classes.slice(0, 0x80)
/** The lower case of what words are made of, and zero for all else. */
const folded = Uint8Array.from(plainClasses, (kind, code) =>
  kind <= JOINER ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : 0,
)

/** The same for ASCII, in one go; undefined where there is more in the text. */
function internPlainWords(text: string, newWords: string[]): TextTerms | undefined {
  const { length } = text
  // Whatever is no ASCII has more bytes than units.
  if (Buffer.byteLength(text) !== length) return undefined
  if (plain.length < length + 2) plain = Buffer.alloc(Math.max(4_096, 2 * length + 2))
  const read = plain
  read.write(text, 0, 'latin1')
  read[length] = 0
  read[length + 1] = 0
  const terms = roomForTerms((length >> 1) + 1)
  let words = 0
  let at = 0
  while (at < length) {
    let unit = folded[read[at] as number] as number
    if (unit === 0) {
      at++
      continue
    }
    const first = at
    const start = starts[count] as number
    const stop = start + WORD_LIMIT
    let end = start
    let hash = SEED
    while (unit !== 0) {
      if (end < stop) {
        bytes[end++] = unit
        hash = Math.imul(hash ^ unit, PRIME)
      }
      at++
      unit = folded[read[at] as number] as number
      if (unit === 0 && isInside(read, at)) unit = read[at] as number
    }
    if (at === first + 1 && plainClasses[read[first] as number] === JOINER) continue
    const known = count
    terms[words++] = find(hash ^ (hash >>> 15), start, end, mayAddWord())
    if (count > known && !isLearned(hashes[known] as number, secondHash(known))) {
      newWords.push(bytes.toString('latin1', start, end))
    }
  }
  return { terms, count: words }
}

/** Whether a word goes on behind a character that is in a word only between two letters, or two digits. */
function isInside(read: Uint8Array, at: number): boolean {
  const kind = plainClasses[read[at] as number] as number
  return (
    kind > OTHER &&
    joins(plainClasses[read[at - 1] as number] as number, kind, plainClasses[read[at + 1] as number] as number)
  )
}

/** What many terms begin with. */
export interface Prefix {
  readonly bytes: Uint8Array
  /** The hash as far as this. */
  readonly hash: number
}

/** A text as the beginning of terms. */
export function prefixOf(text: string): Prefix {
  const prefix = Buffer.from(text)
  let hash = SEED
  for (const byte of prefix) hash = Math.imul(hash ^ byte, PRIME)
  return { bytes: prefix, hash }
}

/** The number of a term, which may have a prefix, or -1 if there is no room for it. */
export function internTerm(rest: string, prefix: Prefix = NO_PREFIX): number {
  const plainly = internAscii(rest, prefix, false)
  if (plainly !== undefined) return plainly
  const length = Math.min(rest.length, TERM_BYTES)
  for (let index = 0; index < length; index++) termUnits[index] = rest.charCodeAt(index)
  return intern(prefix, termUnits, 0, length, TERM_BYTES, mayAdd())
}

/** The same in lower case, where the rest is of printable ASCII; undefined where it is not. */
export const internPlain = (rest: string, prefix: Prefix): number | undefined => internAscii(rest, prefix, true)

const mayAdd = (): boolean => count < TERMS && (starts[count] as number) < LAST_START

function internAscii(rest: string, prefix: Prefix, isFolded: boolean): number | undefined {
  const before = prefix.bytes
  const { length } = rest
  if (before.length + length > TERM_BYTES) return undefined
  const start = starts[count] as number
  let end = start
  for (let index = 0; index < before.length; index++) bytes[end++] = before[index] as number
  let { hash } = prefix
  for (let index = 0; index < length; index++) {
    let unit = rest.charCodeAt(index)
    if (unit >= 0x80) return undefined
    if (isFolded) {
      if (unit < 0x20 || unit === 0x7f) return undefined
      if (unit >= 0x41 && unit <= 0x5a) unit += 0x20
    }
    bytes[end++] = unit
    hash = Math.imul(hash ^ unit, PRIME)
  }
  return find(hash ^ (hash >>> 15), start, end, mayAdd())
}

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
function intern(prefix: Prefix, units: Uint16Array, from: number, to: number, limit: number, mayAdd: boolean): number {
  const start = starts[count] as number
  bytes.set(prefix.bytes, start)
  const last = start + limit
  let end = start + prefix.bytes.length
  let { hash } = prefix
  let index = from
  for (; index < to && end < last; index++) {
    const unit = units[index] as number
    if (unit >= 0x80) break
    bytes[end++] = unit
    hash = Math.imul(hash ^ unit, PRIME)
  }
  // What follows the first character beyond ASCII, apart from the loop above, which most terms never leave.
  const rest = end
  if (index < to) end = writeCharacters(units, index, to, end, last)
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
  const term = intern(NO_PREFIX, termUnits, 0, word.length, WORD_LIMIT, true)
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
