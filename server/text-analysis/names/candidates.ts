import type { Token } from './tokens.ts'

/** A row of words that may be a name. */
export interface Candidate {
  /** As `name_key` in the database makes it. */
  readonly name: string
  /** The positions of its first word and of the one after its last. */
  readonly from: number
  readonly to: number
}

/** Names have at most this many words. */
const MOST_WORDS = 12
/** Names are at most this long. */
const LONGEST = 200

/** What may stand between two words of a name: nothing between letters and digits, a space, or a mark that joins. */
const GAP = /^(?:|[ \t\u00a0]{1,2}|[ \t]?\r?\n[ \t]{0,4}|[-\u2010-\u2013_'\u2019&+./]|[ \t][&+-][ \t])$/
const LONGEST_GAP = 8

/** The rows of words that begin with one of these, the longest first. They do not reach over the end of a sentence. */
export function* candidatesFrom(
  text: string,
  tokens: readonly Token[],
  isFirst: (word: string) => boolean,
): Generator<Candidate[]> {
  for (const [from, token] of tokens.entries()) {
    if (token.word === '' || !(tokens[from - 1]?.isLast ?? true) || !isFirst(token.word)) continue
    const found = rowsFrom(text, tokens, from)
    if (found.length > 0) yield found.reverse()
  }
}

function rowsFrom(text: string, tokens: readonly Token[], from: number): Candidate[] {
  const found: Candidate[] = []
  let name = ''
  for (let to = from; to < tokens.length && to < from + MOST_WORDS; to++) {
    const token = tokens[to] as Token
    const last = tokens[to - 1]
    if (token.word === '' || (to > from && last && !joins(text, last.end, token.start))) break
    name = name === '' ? token.word : `${name} ${token.word}`
    if (name.length > LONGEST) break
    if (token.isLast) found.push({ name, from, to: to + 1 })
  }
  return found
}

const joins = (text: string, end: number, start: number): boolean =>
  start - end <= LONGEST_GAP && GAP.test(text.slice(end, start))
