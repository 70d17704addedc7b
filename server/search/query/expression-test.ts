import { RE2JS, RE2JSException } from 're2js'
import { expressionOf } from './patterns.ts'
import { QueryError } from './query-error.ts'

/** How many places the expressions of one query may have in all, with what is repeated written out. */
export const MOST_PLACES = 10_000

/** How many places a regular expression of Lucene has, with what is repeated written out: matching takes as long as they are many. */
export function placesOf(pattern: string): number {
  const groups: number[] = []
  let all = 0
  let last = 0
  for (const [token, least, most] of expressionOf(pattern).slice(1, -1).matchAll(TOKEN)) {
    if (token === '(?:') {
      groups.push(all)
      all = 0
    } else if (token === ')') {
      last = all
      all += groups.pop() ?? 0
    } else if (least !== undefined) {
      const times = Math.max(1, Number(least), Number(most ?? 0))
      all += last * (times - 1)
      last *= times
    } else if (!'*+?'.includes(token)) {
      last = 1
      all++
    }
  }
  return all
}

const TOKEN = /\(\?:|\[(?:\\.|[^[\]\\])*\]|\\.|\{(\d+)(?:,(\d+)?)?\}|./gsu

/**
 * Whether a regular expression of Lucene matches the whole of a folded text, in time that grows with the text alone. The language's
 * own engine goes back and tries again: `(.*)*!` would never end.
 */
export function expressionTest(pattern: string): (text: string) => boolean {
  try {
    const expression = RE2JS.compile(expressionOf(pattern), RE2JS.DOTALL)
    return (text) => expression.testExact(text)
  } catch (error) {
    if (error instanceof RE2JSException) throw new QueryError('A regular expression is too complex.', 0, 422)
    throw error
  }
}
