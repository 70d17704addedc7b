const SENTENCE_LIMIT = 400
const FULL_LINE = 50

/** A text divided into sentences. Independent lines, such as list items, count as sentences. */
export interface Sentences {
  /** Returns the sentence around a range, shortened for display. */
  at(start: number, end: number): string
  /** The ranges of all sentences, in order. */
  all(): Generator<{ readonly start: number; readonly end: number }>
}

/** Divides a text into sentences in one pass. */
export function sentencesOf(text: string): Sentences {
  const ends = endsOf(text)
  return {
    at(start, end) {
      const next = firstAfter(ends, start)
      const from = ends[next - 1] ?? 0
      const to = Math.max(ends[next] ?? text.length, end)
      return shortened(text, from, to, start, end)
    },
    *all() {
      let start = 0
      for (const end of [...ends, text.length]) {
        if (end > start) yield { start, end }
        start = end
      }
    },
  }
}

/** Returns the ends of sentences: after punctuation and a space, at empty lines, and at independent lines. */
function endsOf(text: string): number[] {
  const ends: number[] = []
  let line = 0
  for (const { 0: mark, index } of text.matchAll(/[.!?](?=["'\u201d)\]]?\s)|[\u3002\uff01\uff1f]|\n/g)) {
    if (mark !== '\n') ends.push(index + 1)
    else if (endsLine(text, line, index)) ends.push(index + 1)
    if (mark === '\n') line = index + 1
  }
  return ends
}

/** Whether a line break ends a sentence: the next line starts something new, or the line was shorter than usual. */
function endsLine(text: string, start: number, end: number): boolean {
  if (end - start < FULL_LINE || /[:;|]\s{0,2}$/.test(text.slice(Math.max(start, end - 3), end))) return true
  return !/^[ \t]{0,3}[\p{Ll}(\d"'\u201c]/u.test(text.slice(end + 1, end + 8))
}

function firstAfter(ends: readonly number[], offset: number): number {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}

function shortened(text: string, from: number, to: number, start: number, end: number): string {
  const margin = Math.max(0, SENTENCE_LIMIT - (end - start)) / 2
  const first = Math.max(from, Math.floor(start - margin))
  const last = Math.min(to, Math.ceil(Math.min(end, start + SENTENCE_LIMIT) + margin))
  const piece = text
    .slice(first, last)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return `${first > from ? '\u2026' : ''}${piece}${last < to ? '\u2026' : ''}`
}
