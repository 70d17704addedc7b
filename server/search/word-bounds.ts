import { classifyUnits, WORD_CLASSES } from './word-classes.ts'

/** The words that were found in a text. */
export interface WordBounds {
  /** The UTF-16 units of the text. */
  readonly units: Uint16Array
  /** Where the words start and end, in turns. */
  readonly bounds: Int32Array
  readonly count: number
}

// Constants of this module, not imported ones, which the scanner would read anew for every character.
const { LETTER, DIGIT, JOINER, OTHER, BETWEEN_LETTERS, BETWEEN_DIGITS, UNKNOWN } = WORD_CLASSES
/** The class of every UTF-16 unit. */
export const classes = classifyUnits()

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

// Starting the segmenter costs as much as twenty words, so short stretches that do not need it are given to it as well.
const SEGMENTER_GAP = 100

// Shared by all calls: reading a typed array is several times as fast as reading a string.
let units = new Uint16Array(0)
let unitBytes = Buffer.alloc(0)
let bounds = new Int32Array(0)
let count = 0

/** Finds the words of a text, exactly those that `Intl.Segmenter` calls word-like; valid until the next call. */
export function findWords(text: string): WordBounds {
  if (text.length > units.length) {
    units = new Uint16Array(Math.max(4_096, 2 * text.length))
    unitBytes = Buffer.from(units.buffer)
    bounds = new Int32Array(2 * units.length)
  }
  unitBytes.write(text, 0, 'utf16le')
  count = 0
  let index = scan(0, text.length)
  while (index < text.length) index = scan(segment(text, index), text.length)
  return { units, bounds, count }
}

/** Finds words by the table of classes, up to the end or to the start of what the table is not enough for. */
function scan(from: number, to: number): number {
  const read = units
  const write = bounds
  let words = count
  let start = from
  while (start < to) {
    const first = classes[read[start] as number] as number
    if (first <= JOINER) {
      const end = endOfWord(read, start + 1, to)
      if (end < 0) break
      if (first !== JOINER || end > start + 1) {
        write[2 * words] = start
        write[2 * words + 1] = end
        words++
      }
      start = end
    } else if (first === UNKNOWN) {
      break
    } else {
      start++
    }
  }
  count = words
  return start
}

/** Where the word ends that started before here, or -1 if the table is not enough to tell. */
function endOfWord(read: Uint16Array, from: number, to: number): number {
  let index = from
  while (true) {
    while (index < to && (classes[read[index] as number] as number) <= JOINER) index++
    if (index === to) return index
    const current = classes[read[index] as number] as number
    if (current === OTHER) return index
    const next = index + 1 < to ? (classes[read[index + 1] as number] as number) : OTHER
    if (current === UNKNOWN || next === UNKNOWN) return -1
    if (!joins(classes[read[index - 1] as number] as number, current, next)) return index
    index += 2
  }
}

/** Whether a word goes on over a character that stands between these. */
export function joins(last: number, current: number, next: number): boolean {
  if (last === LETTER) return next === LETTER && current !== BETWEEN_DIGITS
  return last === DIGIT && next === DIGIT && current !== BETWEEN_LETTERS
}

/** Leaves a stretch of the text to the segmenter and returns where it ends: before a space, where no word goes on. */
function segment(text: string, start: number): number {
  let last = start
  for (let index = start; index < text.length && index - last < SEGMENTER_GAP; index++) {
    if (classes[units[index] as number] === UNKNOWN) last = index
  }
  const space = text.indexOf(' ', last)
  const end = space < 0 ? text.length : space
  for (const { segment: part, index, isWordLike } of segmenter.segment(text.slice(start, end))) {
    if (isWordLike) add(start + index, start + index + part.length)
  }
  return end
}

function add(start: number, end: number): void {
  bounds[2 * count] = start
  bounds[2 * count + 1] = end
  count++
}
