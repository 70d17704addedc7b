import { classifyUnits, WORD_CLASSES } from './word-classes.ts'

// Constants of this module, not imported ones, which the scanner would read again for every character.
const { LETTER, DIGIT, JOINER, OTHER, BETWEEN_LETTERS, BETWEEN_DIGITS, UNKNOWN } = WORD_CLASSES
const classes = classifyUnits()

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

// Starting the segmenter costs as much as twenty words, so short stretches that do not need it are given to it as well.
const SEGMENTER_GAP = 100

/** Where the words of a text start and end, in turns: exactly those that `Intl.Segmenter` calls word-like. */
export function wordBounds(text: string): number[] {
  const bounds: number[] = []
  let index = scan(text, 0, bounds)
  while (index < text.length) index = scan(text, segment(text, index, bounds), bounds)
  return bounds
}

const classAt = (text: string, index: number): number => classes[text.charCodeAt(index)] as number

/** Finds words by the table of classes, up to the end or to the start of what the table is not enough for. */
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

/** Where the word ends that started before here, or -1 if the table is not enough to tell. */
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

/** Whether a word goes on over a character that stands between these. */
function joins(last: number, current: number, next: number): boolean {
  if (last === LETTER) return next === LETTER && current !== BETWEEN_DIGITS
  return last === DIGIT && next === DIGIT && current !== BETWEEN_LETTERS
}

/** Leaves a stretch of the text to the segmenter and returns where it ends: before a space, where no word goes on. */
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
