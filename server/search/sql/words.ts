import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { tooBroad } from '../../engine/errors.ts'
import {
  ALIAS_CODE,
  ALIAS_EXISTS_LEXEME,
  existsLexeme,
  quote,
  SEPARATOR,
  TEXT_CODES,
  type TextCode,
  textLexeme,
} from '../lexemes.ts'
import { escapeLike, likeOf, likesNear } from '../query/patterns.ts'
import { foldCase, splitWords } from '../words.ts'
import { isPlain, type Leaf, matchesText, testOf } from './leaf.ts'
import type { Lookups } from './lookups.ts'
import { anyLexeme, condition, every, index, NONE, type Part, some } from './parts.ts'

/** The codes of fields that are split into words, by field name. */
export const TEXT_FIELDS: Readonly<Record<string, TextCode>> = {
  'data.title': TEXT_CODES.title,
  'data.names': TEXT_CODES.names,
  'data.names.value': TEXT_CODES.names,
  'data.description': TEXT_CODES.description,
  'data.short_description': TEXT_CODES.short_description,
  'meta.alias': ALIAS_CODE,
}

/** A query of the index for entities whose text field is not empty. */
export const textExists = (code: TextCode): string => {
  const path = Object.entries(TEXT_CODES).find(([, own]) => own === code)?.[0]
  return quote(path === undefined ? ALIAS_EXISTS_LEXEME : existsLexeme(path))
}

/** The maximum distance of a phrase. The index puts names in a list further apart. */
const MAX_PHRASE_DISTANCE = 90

/** Searches text fields for a leaf. The returned function takes the codes of the fields. */
export function wordsPart(lookups: Lookups, leaf: Leaf): (codes: readonly TextCode[]) => Part {
  if (leaf.kind === 'phrase' && leaf.slop > 0) {
    lookups.near()
    return nearby(splitWords(leaf.text), leaf.slop)
  }
  if (isPlain(leaf)) return phraseIn(splitWords(leaf.text))
  if (leaf.kind === 'prefix') {
    const start = foldCase(leaf.text)
    return perField((code) => `${quote(textLexeme(code, start))}:*`)
  }
  const found = knownWords(lookups, leaf, hasWord(ALL_CODES, leaf))
  return (codes) => {
    const words = found()
    if (words === null) return condition(hasWord(codes, leaf))
    return anyLexeme(codes.flatMap((code) => words.map((word) => textLexeme(code, word))))
  }
}

const ALL_CODES: readonly TextCode[] = [...Object.values(TEXT_CODES), ALIAS_CODE]

/** Whether the search vector of the row `t` has a matching word in one of these fields. */
const hasWord = (codes: readonly TextCode[], leaf: Leaf): RawBuilder<SqlBool> => sql`exists (
  select from unnest(tsvector_to_array(t.search)) as w(lexeme)
  where left(w.lexeme, 2) = any(${codes.map((code) => code + SEPARATOR)}::text[])
    and ${matchesWord(leaf, sql`(substr(w.lexeme, 3) collate "C")`)})`

/** Like `matchesText`, but first excludes words whose length rules out a fuzzy match. */
export const matchesWord = (leaf: Leaf, word: RawBuilder<unknown>): RawBuilder<SqlBool> => {
  if (leaf.kind !== 'fuzzy') return matchesText(leaf, word)
  const { length } = [...foldCase(leaf.text)]
  return sql`(length(${word}) between ${length - leaf.edits} and ${length + leaf.edits} and ${matchesText(leaf, word)})`
}

/**
 * Looks up the matching words of the dictionary, or null if there are too many. Tags are in the dictionary with a sign in front.
 * `onRow` is the same condition on an entity.
 */
export function knownWords(
  lookups: Lookups,
  leaf: Leaf,
  onRow: RawBuilder<SqlBool>,
  sign = '',
): () => readonly string[] | null {
  const test = leaf.kind === 'fuzzy' ? testOf(leaf) : () => true
  return lookups.words({ matching: mayMatch(leaf, sign), test: (word) => test(word.slice(sign.length)), onRow })
}

function mayMatch(leaf: Leaf, sign: string) {
  const own = sign === '' ? sql`w.word` : sql`substr(w.word, ${sign.length + 1})`
  const kind = sign === '' ? sql`position(${SEPARATOR} in w.word) = 0` : sql`w.word like ${`${escapeLike(sign)}%`}`
  if (leaf.kind === 'fuzzy') {
    const wanted = foldCase(leaf.text)
    const { length } = [...wanted]
    // The Levenshtein distance of PostgreSQL counts swapped neighbours as two edits.
    const reach = 2 * leaf.edits
    const isNear = length > 255 ? sql`false` : sql`levenshtein_less_equal(${own}, ${wanted}, ${reach}) <= ${reach}`
    return sql<boolean>`
      ${kind} and ${isLikeAny(likesNear(leaf.edits, wanted), own)}
      and length(${own}) between ${length - leaf.edits} and ${length + leaf.edits} and ${isNear}`
  }
  if (leaf.kind === 'wildcard') {
    return sql<boolean>`${kind} and w.word like ${escapeLike(sign) + likeOf(leaf.pattern)}`
  }
  return sql<boolean>`${kind} and ${matchesText(leaf, own)}`
}

const isLikeAny = (likes: readonly string[] | null, text: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  likes === null
    ? sql`true`
    : sql`(${sql.join(
        likes.map((like) => sql`${text} like ${like}`),
        sql` or `,
      )})`

const perField =
  (query: (code: TextCode) => string, likely = query) =>
  (codes: readonly TextCode[]): Part => {
    const any = (ask: (code: TextCode) => string) => codes.map((code) => `(${ask(code)})`).join(' | ')
    return codes.length === 0 ? NONE : index(any(query), any(likely))
  }

/** Finds adjacent words in their order. */
function phraseIn(words: readonly string[]): (codes: readonly TextCode[]) => Part {
  if (words.length === 0) return () => NONE
  const joined = (by: string) => (code: TextCode) => words.map((word) => quote(textLexeme(code, word))).join(by)
  return perField(joined(' <-> '), joined(' & '))
}

/** Finds words near each other: the index finds the texts with all words, and their positions are compared afterwards. */
function nearby(words: readonly string[], slop: number): (codes: readonly TextCode[]) => Part {
  if (slop > MAX_PHRASE_DISTANCE) {
    throw tooBroad(`the words of a phrase can be at most ${MAX_PHRASE_DISTANCE} positions apart.`)
  }
  if (words.length === 0) return () => NONE
  return (codes) =>
    some(
      codes.map((code) => {
        const lexemes = words.map((word) => textLexeme(code, word))
        const isNear = sql<boolean>`stand_near(t.search, ${lexemes}::text[], ${slop})`
        return every([index([...new Set(lexemes)].map(quote).join(' & ')), condition(isNear, sql`true`)])
      }),
    )
}
