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

/** What may stand around an indicator in a text. */
const WRAPPING = /^[\s"'`<(,;|*•–-]+|[\s"'`>),;|*]+$/g
/** What ends a sentence or closes what was opened in it. */
const ENDING = /[\])}>.,:;!?"']+$/
const BETWEEN = /[\s,;|"'<>]+/

/** Reads a list as people paste it: each line as a whole, or else each of its words. */
export function readPasted(text: string): PastedList {
  const found = new Map<string, Pasted>()
  const unread = new Set<string>()
  for (const line of text.split(/[\r\n]+/)) {
    const bare = line.replaceAll(WRAPPING, '')
    if (bare === '') continue
    const all = [pastedOf(bare) ?? bare.split(BETWEEN).map((word) => pastedOf(word.replaceAll(WRAPPING, '')))].flat()
    const read = all.filter((each) => each !== undefined)
    if (read.length === 0) unread.add(line.trim())
    for (const each of read) found.set(`${each.type} ${each.value}`, each)
  }
  return { indicators: [...found.values()], unread: [...unread] }
}

function pastedOf(text: string): Pasted | undefined {
  for (const tried of new Set([text, text.replace(ENDING, '')])) {
    const type = guessType(tried)
    const read = type && normaliseObservable(type, tried)
    if (type && read && 'value' in read) return { type, value: read.value }
  }
  return undefined
}
