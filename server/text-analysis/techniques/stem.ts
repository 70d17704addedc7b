/** Longer words are identifiers rather than English. */
const LONGEST = 30

const VOWEL = /[aeiou]|[^aeiou]y/
const VOWELS: ReadonlySet<string> = new Set('aeiou')
const ENGLISH = /^[a-z]{3,}$/

type Rule = readonly [suffix: string, replacement: string]

const STEP_2: readonly Rule[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['isation', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['eli', 'e'],
]

const STEP_3: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]

const STEP_4 = [
  ...['ement', 'ance', 'ence', 'able', 'ible', 'ment', 'ant', 'ent', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize', 'ise'],
  ...['sion', 'tion', 'al', 'er', 'or', 'ic'],
]

/**
 * The stem of an English word in lower case, so that "encrypts", "encrypted" and "encryption" are one term. It follows Porter's algorithm,
 * but also unites nouns that end in -or with their verbs, and British with American spellings. Other words remain as they are.
 */
export function stem(word: string): string {
  if (word.length > LONGEST || !ENGLISH.test(word)) return word
  const plain = withoutInflection(word)
  return withoutEnding(replaced(replaced(plain, STEP_2), STEP_3))
}

function withoutInflection(word: string): string {
  let w = word
  if (w.endsWith('sses') || (w.endsWith('ies') && w.length > 4)) w = w.slice(0, -2)
  else if (w.endsWith('s') && !w.endsWith('ss') && !w.endsWith('us') && !w.endsWith('is')) w = w.slice(0, -1)
  if (w.endsWith('eed')) return measure(w.slice(0, -3)) > 0 ? w.slice(0, -1) : w
  const verb = w.endsWith('ed') ? w.slice(0, -2) : w.endsWith('ing') ? w.slice(0, -3) : undefined
  if (verb !== undefined && VOWEL.test(verb)) w = infinitive(verb)
  return w.endsWith('y') && VOWEL.test(w.slice(0, -1)) ? `${w.slice(0, -1)}i` : w
}

/** What is left of "scanned", "created" and "hoping" becomes "scan", "create" and "hope". */
function infinitive(verb: string): string {
  if (/(?:at|bl|iz|ys)$/.test(verb)) return `${verb}e`
  if (/([^aeioulsz])\1$/.test(verb)) return verb.slice(0, -1)
  return measure(verb) === 1 && /[^aeiou][aeiouy][^aeiouwxy]$/.test(verb) ? `${verb}e` : verb
}

function replaced(word: string, rules: readonly Rule[]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (!rule) return word
  const rest = word.slice(0, -rule[0].length)
  return measure(rest) > 0 ? rest + rule[1] : word
}

function withoutEnding(word: string): string {
  let w = word
  const ending = STEP_4.find((suffix) => w.endsWith(suffix))
  if (ending) {
    // The "t" of "-tion" belongs to the stem, which may be as short as "act".
    const isNoun = ending.endsWith('ion')
    const rest = w.slice(0, isNoun ? 1 - ending.length : -ending.length)
    if (measure(rest) > (isNoun ? 0 : 1)) w = rest
  }
  if (w.endsWith('e')) {
    const m = measure(w.slice(0, -1))
    if (m > 1 || (m === 1 && !/[^aeiou][aeiouy][^aeiouwxy]e$/.test(w))) w = w.slice(0, -1)
  }
  return w.endsWith('ll') && measure(w) > 1 ? w.slice(0, -1) : w
}

/** How often a vowel is followed by a consonant, which is about the number of syllables. */
function measure(text: string): number {
  let count = 0
  let wasVowel = false
  for (let i = 0; i < text.length; i++) {
    const letter = text.charAt(i)
    // A "y" after a consonant is a vowel.
    const isVowel: boolean = VOWELS.has(letter) || (letter === 'y' && i > 0 && !wasVowel)
    if (wasVowel && !isVowel) count++
    wasVowel = isVowel
  }
  return count
}
