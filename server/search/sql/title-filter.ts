import type { Occur, Query } from '../query/ast.ts'
import { splitWords } from '../words.ts'

const field = 'data.title'

// A rare letter stands for the wildcard while the text is split into words, because a star would end the word.
const WILDCARD = '\u02ad'

/** The query of a filter by title, which finds any of the values. A value is words, possibly with `*`, or `"a strict phrase"`. */
export const titleQuery = (values: readonly string[]): Query => join('should', values.map(readTitle))

const join = (occur: Occur, queries: readonly Query[]): Query => ({
  kind: 'bool',
  clauses: queries.map((query) => ({ occur, query })),
})

function readTitle(value: string): Query {
  const quoted = /^\s*"(.*)"\s*$/s.exec(value)?.[1]
  const text = (quoted ?? value).replaceAll('\\"', '"')
  const words = quoted === undefined ? splitWords(text.replaceAll(/\*+/g, WILDCARD)) : []
  // A value without words becomes a phrase, which matches nothing.
  return words.length === 0 ? { kind: 'phrase', field, text, slop: 0 } : join('must', words.map(readWord))
}

/** Reads a word as in a query: a star alone matches any title, and one at the end makes a prefix. */
function readWord(word: string): Query {
  const pattern = word.replaceAll(WILDCARD, '*')
  const star = pattern.indexOf('*')
  if (star === -1) return { kind: 'term', field, text: word }
  if (pattern === '*') return { kind: 'exists', field }
  if (star === pattern.length - 1) return { kind: 'prefix', field, text: pattern.slice(0, -1) }
  return { kind: 'wildcard', field, pattern }
}
