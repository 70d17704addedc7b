const LATIN = /\p{Script=Latin}/u
const LETTER = /[\p{L}\p{M}]/u
const CONTROL = /[\p{Cc}\p{Co}\p{Cn}]/u

/** Maximum share of accented letters in a word of a language with Latin letters. */
const MAX_ACCENTED_SHARE = 0.5

/** Scores how likely a text is in a language with these letters: from 1 per non-ASCII character down to far below 0. */
export function alphabetScore(text: string, letters: string): number {
  const usual = weightsOf(letters)
  const isLatin = LATIN.test(letters)
  let score = 0
  let count = 0
  for (const [character] of text.matchAll(/[^\0-\x7f]/gu)) {
    count++
    if (CONTROL.test(character)) score -= 5
    else score += usual.get(character) ?? (LETTER.test(character) ? -1 : -0.5)
  }
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) score += wordScore(word, isLatin)
  return count === 0 ? 0 : score / count
}

/** More frequent letters have a higher weight. */
const weightsOf = (letters: string): ReadonlyMap<string, number> =>
  new Map(Array.from(letters, (letter, i) => [letter, 1.2 - (0.5 * i) / letters.length]))

/** Penalises unlikely words: two scripts, capitals after small letters, only accented letters, a combining sign at the start. */
function wordScore(word: string, isLatin: boolean): number {
  const nonAscii = Array.from(word).filter((letter) => letter > '\x7f').length
  if (nonAscii === 0) return 0
  const own = word.length - nonAscii
  if (isLatin) return (word.length > 3 && nonAscii / word.length > MAX_ACCENTED_SHARE ? -nonAscii : 0) - mixedCase(word)
  return (own > 0 ? -nonAscii : 0) - mixedCase(word) - (/^[ъыь]/i.test(word) ? 2 : 0)
}

const mixedCase = (word: string): number => (word.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0) * 2
