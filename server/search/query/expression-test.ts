import { RE2JS, RE2JSException } from 're2js'
import { expressionOf } from './patterns.ts'
import { QueryError } from './query-error.ts'

/** The maximum size of all regular expressions of a query together. */
export const MAX_EXPRESSIONS_SIZE = 10_000

/** The size of a Lucene regular expression with all repetitions written out, which determines how long matching takes. */
export function expressionSize(pattern: string): number {
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
 * Tests whether a Lucene regular expression matches a whole folded text, in time linear in the text. The engine of JavaScript
 * backtracks, so that `(.*)*!` would never end.
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
