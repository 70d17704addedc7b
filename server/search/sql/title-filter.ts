import type { Occur, Query } from '../query/ast.ts'
import { splitWords } from '../words.ts'

const field = 'data.title'

// A letter that hardly any text has stands for a wildcard while the text is split: a star would end the word.
const WILDCARD = '\u02ad'

/** What a filter by title asks for: any of the values, each of them words, maybe with `*`, or `"a strict phrase"`. */
export const titleQuery = (values: readonly string[]): Query => join('should', values.map(readTitle))

const join = (occur: Occur, queries: readonly Query[]): Query => ({
  kind: 'bool',
  clauses: queries.map((query) => ({ occur, query })),
})

function readTitle(value: string): Query {
  const quoted = /^\s*"(.*)"\s*$/s.exec(value)?.[1]
  const text = (quoted ?? value).replaceAll('\\"', '"')
  const words = quoted === undefined ? splitWords(text.replaceAll(/\*+/g, WILDCARD)) : []
  // What has no word at all is a phrase too: it stands nowhere.
  return words.length === 0 ? { kind: 'phrase', field, text, slop: 0 } : join('must', words.map(readWord))
}

/** As in a query: a star alone asks for any title, and one at the end for how a word begins. */
function readWord(word: string): Query {
  const pattern = word.replaceAll(WILDCARD, '*')
  const star = pattern.indexOf('*')
  if (star === -1) return { kind: 'term', field, text: word }
  if (pattern === '*') return { kind: 'exists', field }
  if (star === pattern.length - 1) return { kind: 'prefix', field, text: pattern.slice(0, -1) }
  return { kind: 'wildcard', field, pattern }
}
