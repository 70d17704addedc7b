import { visibleText } from '../prompting/visible-text.ts'

/** A place in a text. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** A text in which quotes are found. */
export interface Quotable {
  find(quote: string): Place | undefined
}

/**
 * Finds a quote in a text, and returns its place there. White space, case, punctuation, accents and typographic variants of characters may
 * differ, because models change them. What readers of the text do not see is no part of it.
 */
export const findQuote = (text: string, quote: string): Place | undefined => quotable(text).find(quote)

/** Prepares a text for many quotes. */
export function quotable(original: string): Quotable {
  const visible = visibleText(original)
  const { text, starts, ends } = plainOf(visible.text)
  return {
    find: (quote) => {
      const wanted = plainText(quote)
      if (wanted === '') return undefined
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
        const end = at + wanted.length
        if (isInsideWord(text, at) || isInsideWord(text, end)) continue
        return visible.originalOf(starts[at] ?? 0, ends[end - 1] ?? 0)
      }
      return undefined
    },
  }
}

/** The words of a text in lower case, with single spaces between them. Texts with the same words count as the same. */
export const plainText = (text: string): string => plainOf(visibleText(text).text).text.trim()

interface Plain {
  readonly text: string
  /** For each character, where in the text what it stands for begins and ends. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Tags and common character references of HTML: descriptions may be formatted. */
const MARKUP = /<\/?[a-z][^<>]{0,1000}>|&(?:nbsp|amp|quot|lt|gt|apos|#39|#x27|#160);/gi

/** A piece of a text without tags, on one line, to be shown. */
export const shownPiece = (piece: string): string =>
  visibleText(piece).text.replaceAll(MARKUP, ' ').replaceAll(/\s+/g, ' ').trim()

/** Symbols that are marks of Markdown or HTML, or spelled in different ways, are not part of words. */
const IN_WORD = /^(?![`^~|<>=\u00b4\u00a8])[\p{L}\p{N}\p{S}]$/u
const COMBINING = /^\p{M}$/u

function plainOf(text: string): Plain {
  const characters: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let isBetween = true
  const add = (character: string, start: number, end: number) => {
    characters.push(character)
    for (let i = 0; i < character.length; i++) {
      starts.push(start)
      ends.push(end)
    }
  }
  const addAll = (from: number, to: number) => {
    let start = from
    for (const written of text.slice(from, to)) {
      const end = start + written.length
      const simple = written < '\u0080' ? written : written.normalize('NFKD')
      for (const character of simple.toLowerCase()) {
        if (COMBINING.test(character)) continue
        const isWord = IN_WORD.test(character)
        if (isWord) add(character, start, end)
        else if (!isBetween) add(' ', start, end)
        isBetween = !isWord
      }
      start = end
    }
  }
  let next = 0
  for (const { 0: markup, index } of text.matchAll(MARKUP)) {
    addAll(next, index)
    next = index + markup.length
    if (!isBetween) add(' ', index, next)
    isBetween = true
  }
  addAll(next, text.length)
  return { text: characters.join(''), starts, ends }
}

/** Scripts that are written without spaces, or that join particles to words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u
const WORD = /[\p{L}\p{N}]/u

/** Whether a position is between two characters of one word. */
function isInsideWord(text: string, at: number): boolean {
  const [before, after] = [characterBefore(text, at), String.fromCodePoint(text.codePointAt(at) ?? 0x20)]
  return WORD.test(before) && WORD.test(after) && !UNSPACED.test(before) && !UNSPACED.test(after)
}

function characterBefore(text: string, at: number): string {
  const two = text.slice(Math.max(0, at - 2), at)
  return (two.codePointAt(0) ?? 0) > 0xffff ? two : two.slice(-1)
}
