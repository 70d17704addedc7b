import { setImmediate } from 'node:timers/promises'
import { guessType } from './guess.ts'
import { normaliseObservable } from './normalise.ts'
import type { ObservableType } from './types.ts'

/** One thing of a pasted list, in its one spelling. */
export interface Pasted {
  readonly type: ObservableType
  readonly value: string
}

/** What a pasted text has in it. */
export interface PastedList {
  /** Each once, whatever its spelling. */
  readonly indicators: readonly Pasted[]
  /** Lines that nothing could be made of. */
  readonly unread: readonly string[]
}

/** How much is looked for: reading ends with the first indicator beyond the limit, and no more unread lines are kept. */
export interface PastedLimits {
  readonly indicators: number
  readonly unread: number
}

const SPACES = '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029'
const MORE_SPACES = '\u202f\u205f\u3000\ufeff'
/** What may stand before and after an indicator in a text. */
const BEFORE = new Set(`${SPACES}${MORE_SPACES}"'\`<(,;|*•–-`)
const AFTER = new Set(`${SPACES}${MORE_SPACES}"'\`>),;|*`)
/** What ends a sentence or closes what was opened in it. */
const ENDING = new Set('])}>.,:;!?"\'')
const BETWEEN = /[\s,;|"'<>]+/

/** About as much as is read in a few milliseconds. Then other requests get a turn. */
const MAX_CHARACTERS_PER_TURN = 4_000

/** Reads a list as people paste it: each line as a whole, or else each of its words. */
export async function readPasted(text: string, limits: PastedLimits): Promise<PastedList> {
  const found = new Map<string, Pasted>()
  const unread = new Set<string>()
  const pastedOf = pastedReader()
  let read = 0
  const take = (piece: string): boolean => {
    read += piece.length
    const pasted = pastedOf(piece)
    if (pasted) found.set(`${pasted.type} ${pasted.value}`, pasted)
    return pasted !== undefined
  }
  for (const line of text.split(/[\r\n]+/)) {
    const bare = trimmed(line, BEFORE, AFTER)
    if (bare === '') continue
    let isRead = take(bare)
    for (const word of isRead ? [] : bare.split(BETWEEN)) {
      if (take(trimmed(word, BEFORE, AFTER))) isRead = true
      if (found.size > limits.indicators) return { indicators: [...found.values()], unread: [...unread] }
      if (read > MAX_CHARACTERS_PER_TURN) {
        await setImmediate()
        read = 0
      }
    }
    if (!isRead && unread.size < limits.unread) unread.add(line.trim())
    if (found.size > limits.indicators) break
  }
  return { indicators: [...found.values()], unread: [...unread] }
}

const MAX_CACHED_LENGTH = 64
const MAX_CACHED_PIECES = 50_000

/** Caches results, because most words occur in a text more than once. */
function pastedReader(): (text: string) => Pasted | undefined {
  const known = new Map<string, Pasted | undefined>()
  return (text) => {
    if (!mayBeIndicator(text)) return undefined
    if (known.has(text)) return known.get(text)
    const pasted = pastedOf(text)
    if (text.length <= MAX_CACHED_LENGTH && known.size < MAX_CACHED_PIECES) known.set(text, pasted)
    return pasted
  }
}

/** Every indicator that is shorter than a digest contains one of these. Brackets may belong to a defanged one. */
const SIGN = /[\d:@/\\[({]|[.\u3002\uff0e\uff61]./
const MIN_LENGTH_WITHOUT_SIGN = 25

/** Whether a piece of text can be an indicator. Plain words cannot. */
export const mayBeIndicator = (text: string): boolean => text.length >= MIN_LENGTH_WITHOUT_SIGN || SIGN.test(text)

function pastedOf(text: string): Pasted | undefined {
  for (const tried of new Set([text, trimmed(text, new Set(), ENDING)])) {
    const type = guessType(tried)
    const read = type && normaliseObservable(type, tried)
    if (type && read && 'value' in read) return { type, value: read.value }
  }
  return undefined
}

/** A text without certain characters at its ends; it takes as long as they are many. */
function trimmed(text: string, before: ReadonlySet<string>, after: ReadonlySet<string>): string {
  let start = 0
  let end = text.length
  while (start < end && before.has(text.charAt(start))) start++
  while (end > start && after.has(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
