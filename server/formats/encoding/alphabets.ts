const LATIN = /\p{Script=Latin}/u
const LETTER = /[\p{L}\p{M}]/u
const CONTROL = /[\p{Cc}\p{Co}\p{Cn}]/u

/** A word that has more letters with accents than without is no word of a language in Latin letters. */
const MOST_ACCENTS = 0.5

/** How likely a text is one of a language with these letters: between 1 for every character beyond ASCII and far below 0. */
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

/** Letters that are used more often count more. */
const weightsOf = (letters: string): ReadonlyMap<string, number> =>
  new Map(Array.from(letters, (letter, i) => [letter, 1.2 - (0.5 * i) / letters.length]))

/** What speaks against a word: letters of two scripts, capitals after small letters, nothing but accents, a sign at the start that only follows others. */
function wordScore(word: string, isLatin: boolean): number {
  const strange = Array.from(word).filter((letter) => letter > '\x7f').length
  if (strange === 0) return 0
  const own = word.length - strange
  if (isLatin) return (word.length > 3 && strange / word.length > MOST_ACCENTS ? -strange : 0) - mixedCase(word)
  return (own > 0 ? -strange : 0) - mixedCase(word) - (/^[ъыь]/i.test(word) ? 2 : 0)
}

const mixedCase = (word: string): number => (word.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0) * 2
