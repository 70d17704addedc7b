import { wordBounds } from './word-bounds.ts'

/** The longest word that is kept whole, in bytes of UTF-8. */
export const WORD_BYTES = 200

/** The words of a text at Unicode word boundaries, in order, lower-cased. */
export function splitWords(text: string): string[] {
  const folded = foldCase(text)
  const bounds = wordBounds(folded)
  const words: string[] = []
  for (let i = 0; i < bounds.length; i += 2) words.push(folded.slice(bounds[i], bounds[i + 1]))
  return words
}

/** Lower case for comparison: one for all spellings of a letter wherever it stands, without lone surrogates. */
export function foldCase(text: string): string {
  const lower = (text.isWellFormed() ? text : text.toWellFormed()).toLowerCase()
  // A capital sigma becomes one of two letters, depending on what follows: a word and its beginning would differ.
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower
}

/** What is kept of a word: as many whole characters as fit into `WORD_BYTES`. */
export function cutWord(word: string): string {
  if (word.length * 3 <= WORD_BYTES) return word
  let bytes = 0
  let end = 0
  for (const character of word) {
    bytes += Buffer.byteLength(character)
    if (bytes > WORD_BYTES) return word.slice(0, end)
    end += character.length
  }
  return word
}
