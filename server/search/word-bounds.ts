import { classifyUnits, WORD_CLASSES } from './word-classes.ts'

// Copied to constants of this module, because imported ones would be read again for every character.
const { LETTER, DIGIT, JOINER, OTHER, BETWEEN_LETTERS, BETWEEN_DIGITS, UNKNOWN } = WORD_CLASSES
const classes = classifyUnits()

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

// Starting the segmenter costs as much as twenty words, so it also gets short stretches that do not need it.
const SEGMENTER_GAP = 100

/** The starts and ends of the words in a text, alternating. They are exactly the words that `Intl.Segmenter` finds. */
export function wordBounds(text: string): number[] {
  const bounds: number[] = []
  let index = scan(text, 0, bounds)
  while (index < text.length) index = scan(text, segment(text, index, bounds), bounds)
  return bounds
}

const classAt = (text: string, index: number): number => classes[text.charCodeAt(index)] as number

/** Finds words by the table of classes, up to the end or to the first word that needs the segmenter. */
function scan(text: string, from: number, bounds: number[]): number {
  let start = from
  while (start < text.length) {
    const first = classAt(text, start)
    if (first === UNKNOWN) return start
    if (first > JOINER) {
      start++
      continue
    }
    const end = endOfWord(text, start + 1)
    if (end < 0) return start
    if (first !== JOINER || end > start + 1) bounds.push(start, end)
    start = end
  }
  return start
}

/** The end of the word that started before `from`, or -1 if only the segmenter can tell. */
function endOfWord(text: string, from: number): number {
  let index = from
  while (true) {
    while (index < text.length && classAt(text, index) <= JOINER) index++
    if (index === text.length) return index
    const current = classAt(text, index)
    if (current === OTHER) return index
    const next = index + 1 < text.length ? classAt(text, index + 1) : OTHER
    if (current === UNKNOWN || next === UNKNOWN) return -1
    if (!joins(classAt(text, index - 1), current, next)) return index
    index += 2
  }
}

/** Whether a word continues across the character `current`. */
function joins(last: number, current: number, next: number): boolean {
  if (last === LETTER) return next === LETTER && current !== BETWEEN_DIGITS
  return last === DIGIT && next === DIGIT && current !== BETWEEN_LETTERS
}

/** Segments a stretch of the text and returns its end, which is before a space so that no word is cut. */
function segment(text: string, start: number, bounds: number[]): number {
  let last = start
  for (let index = start; index < text.length && index - last < SEGMENTER_GAP; index++) {
    if (classAt(text, index) === UNKNOWN) last = index
  }
  const space = text.indexOf(' ', last)
  const end = space < 0 ? text.length : space
  for (const { segment: part, index, isWordLike } of segmenter.segment(text.slice(start, end))) {
    if (isWordLike) bounds.push(start + index, start + index + part.length)
  }
  return end
}
