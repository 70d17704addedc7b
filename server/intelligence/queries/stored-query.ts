import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { parseQuery } from '../../search/query/parse.ts'
import { QueryError } from '../../search/query/query-error.ts'
import { relationalQuery } from '../relational/relational-query.ts'

/** A query that is stored and run later, so that syntax errors are refused now. A blank query counts as null. */
export const storedQuery = string().transform((value, check) => {
  if (value.trim() === '') return null
  const message = syntaxErrorIn(value)
  if (message === undefined) return value
  check.addIssue({ code: 'custom', message })
  return z.NEVER
})

/** A relational query whose inner queries are checked for syntax errors. */
export const storedRelations = relationalQuery.superRefine(({ start, hops }, check) => {
  const texts = [
    { path: ['start', 'query'], text: start.query },
    ...hops.map((hop, i) => ({ path: ['hops', i, 'query'], text: hop.query })),
  ]
  for (const { path, text } of texts) {
    const message = text === undefined ? undefined : syntaxErrorIn(text)
    if (message !== undefined) check.addIssue({ code: 'custom', message, path })
  }
})

function syntaxErrorIn(text: string): string | undefined {
  try {
    parseQuery(text)
    return undefined
  } catch (error) {
    if (error instanceof QueryError) return error.messageWithColumn
    throw error
  }
}
