import { dayField, existsLexeme, keywordField, numberField } from './lexemes.ts'

/** The beginnings of all lexemes of a path, in UTF-16. */
export interface PathSpelling {
  readonly exists: Uint16Array
  readonly keyword: Uint16Array
  readonly number: Uint16Array
  readonly day: Uint16Array
}

// Entities of a type have the same paths, so nearly all of them have been spelled before.
const spellings = new Map<string, PathSpelling>()
const SPELLINGS = 2_000

/** Spells a path, or remembers how it is spelled. */
export function spellPath(path: string): PathSpelling {
  const known = spellings.get(path)
  if (known !== undefined) return known
  if (spellings.size === SPELLINGS) spellings.clear()
  const spelling = {
    exists: unitsOf(existsLexeme(path)),
    keyword: unitsOf(keywordField(path)),
    number: unitsOf(numberField(path)),
    day: unitsOf(dayField(path)),
  }
  spellings.set(path, spelling)
  return spelling
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
}
