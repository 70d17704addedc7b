import type { Sentences } from '../../formats/text/sentences.ts'

/** Longer sentences are tables or code, and are compared in pieces. */
const LONGEST = 1_000
/** Shorter ones are headings. */
const SHORTEST = 12

/** The sentences of a text without the spaces around them, as far as they are long enough to tell what happened. */
export function* piecesOf(
  text: string,
  sentences: Sentences,
): Generator<{ readonly start: number; readonly end: number }> {
  for (const sentence of sentences.all()) {
    for (let from = sentence.start; from < sentence.end; ) {
      const to = endOf(text, from, sentence.end)
      const start = from + (/\S/.exec(text.slice(from, to))?.index ?? 0)
      const end = start + text.slice(start, to).trimEnd().length
      if (end - start >= SHORTEST) yield { start, end }
      from = to
    }
  }
}

/** The end of a piece: that of the sentence, or the last space before the limit. */
function endOf(text: string, from: number, end: number): number {
  if (end - from <= LONGEST) return end
  const space = text.lastIndexOf(' ', from + LONGEST)
  return space > from ? space : from + LONGEST
}
