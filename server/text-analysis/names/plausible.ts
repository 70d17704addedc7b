import { COMMON_WORDS, GENERIC_WORDS, KIND_WORDS } from './common-words.ts'

/** A place in a text where the words of a name stand. */
export interface Place {
  readonly text: string
  readonly start: number
  readonly end: number
  /** The words of the name, in lower case. */
  readonly words: readonly string[]
  /** The words before and after it, in lower case. */
  readonly before: string
  readonly after: string
}

/** Shorter words are abbreviations of many things. */
const SHORT = 4
/** Such long words are names, even if the text does not capitalise them, unless they are known as common words. */
const LONG = 7
/** Reports and incidents with shorter titles would be found in any text. */
const WORDS_OF_TITLE = 3

const TITLED: ReadonlySet<string> = new Set(['report', 'incident'])
/** Everybody capitalises people and places. */
const PROPER: ReadonlySet<string> = new Set(['identity', 'location'])

/** Parts of addresses, paths, options and identifiers. */
const JOINED_BEFORE = /[.\\@_=&%$~]$/
const JOINED_AFTER = /^(?:[\\@_=]|\.[\p{L}\p{N}])/u
const OPTION = /^(?:|[\s-])-$/
/** A slash between two names, as in "Duskworm/Dawnworm", is none of a path. */
const PATH = /^\/|:\/\/|\.\S/
const AROUND = 100
const UPPER = /\p{Lu}/u
const DIGIT = /[0-9]/
/** Letters and digits without a space. */
const CODE = /^\S{5,}$/
const MARKS = /[^\p{L}\p{N}]+/gu

/** Whether what stands at a place is meant as the name of an entity, rather than as common words. */
export function isPlausible(place: Place, type: string, spelling: string): boolean {
  const { text, start, end, words } = place
  if (isInside(text, start, end)) return false
  const written = text.slice(start, end)
  const letters = words.filter((word) => !DIGIT.test(word))
  if (GENERIC_WORDS.has(words.join(''))) return false
  if (TITLED.has(type) && words.length < WORDS_OF_TITLE) return false
  const isCapital = UPPER.test(written)
  if (PROPER.has(type) && !isCapital) return false
  const isSame = written.replaceAll(MARKS, '') === spelling.replaceAll(MARKS, '')
  const isCommon = letters.every((word) => word.length < SHORT || COMMON_WORDS.has(word) || GENERIC_WORDS.has(word))
  if (!isCommon) return isCapital || isSame || words.length > 1 || written.length >= LONG
  // "APT28" and "TA505" are no words of English.
  if (words.length > letters.length) return isSame || isCapital || CODE.test(written)
  if (!isSame || !isCapital) return false
  if (PROPER.has(type)) return written.length >= SHORT
  return words.length > 1 || isNextToKind(place) || isUnusual(written)
}

/** Whether a word is spelled as no common word is: `QakBot`, `njRAT`. Abbreviations in capitals are not. */
const isUnusual = (written: string): boolean => written.length >= SHORT && /\p{Ll}\p{Lu}/u.test(written)

const isNextToKind = ({ before, after }: Place): boolean => KIND_WORDS.has(after) || KIND_WORDS.has(before)

/** Whether a place is inside a longer technical word, such as an address. */
function isInside(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start)
  const after = text.slice(end, end + 2)
  if (before.endsWith('/') || after.startsWith('/')) return PATH.test(runAround(text, start, end))
  // A hyphen joins words to names, as in "anti-Emotet"; an option begins with it.
  const isJoined = before.endsWith('-') ? OPTION.test(before) : JOINED_BEFORE.test(before)
  return isJoined || JOINED_AFTER.test(after)
}

/** The characters around a place without a space between them. */
function runAround(text: string, start: number, end: number): string {
  const [before = ''] = text
    .slice(Math.max(0, start - AROUND), start)
    .split(/\s/)
    .slice(-1)
  const after = /^\S*/.exec(text.slice(end, end + AROUND))?.[0] ?? ''
  return before + text.slice(start, end) + after
}
