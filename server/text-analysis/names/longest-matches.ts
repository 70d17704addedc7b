import { type Candidate, candidatesFrom } from './candidates.ts'
import type { Place } from './plausible.ts'
import type { Token } from './tokens.ts'

/** A name in a text, and what it means. */
export interface Match<T> {
  readonly start: number
  readonly end: number
  readonly meaning: T
}

/** The names in a text that mean something, in order: of names that overlap, the first and longest. */
export function* longestMatches<T>(
  text: string,
  tokens: readonly Token[],
  isFirst: (word: string) => boolean,
  meaningOf: (name: string, place: Place) => T | undefined,
): Generator<Match<T>> {
  let next = 0
  for (const candidates of candidatesFrom(text, tokens, isFirst)) {
    if ((candidates[0]?.from ?? 0) < next) continue
    for (const candidate of candidates) {
      const place = placeOf(text, tokens, candidate)
      const meaning = meaningOf(candidate.name, place)
      if (meaning === undefined) continue
      next = candidate.to
      yield { start: place.start, end: place.end, meaning }
      break
    }
  }
}

const placeOf = (text: string, tokens: readonly Token[], { name, from, to }: Candidate): Place => ({
  text,
  start: tokens[from]?.start ?? 0,
  end: tokens[to - 1]?.end ?? 0,
  words: name.split(' '),
  before: tokens[from - 1]?.word ?? '',
  after: tokens[to]?.word ?? '',
})
