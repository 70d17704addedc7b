import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { parseQuery } from '../../search/query/parse.ts'
import { QueryError } from '../../search/query/query-error.ts'
import { relationalQuery } from '../relational/relational-query.ts'

/** A query that is kept or run later. One that says nothing is none; one that cannot be understood would never find anything. */
export const storedQuery = string().transform((value, check) => {
  if (value.trim() === '') return null
  const fault = faultOf(value)
  if (fault === undefined) return value
  check.addIssue({ code: 'custom', message: fault })
  return z.NEVER
})

/** A relational query with the queries inside it understood. */
export const storedRelations = relationalQuery.superRefine(({ start, hops }, check) => {
  const texts = [
    { path: ['start', 'query'], text: start.query },
    ...hops.map((hop, i) => ({ path: ['hops', i, 'query'], text: hop.query })),
  ]
  for (const { path, text } of texts) {
    const fault = text === undefined ? undefined : faultOf(text)
    if (fault !== undefined) check.addIssue({ code: 'custom', message: fault, path })
  }
})

/** What is wrong with a query, if anything is. */
function faultOf(text: string): string | undefined {
  try {
    parseQuery(text)
    return undefined
  } catch (error) {
    if (error instanceof QueryError) return error.told
    throw error
  }
}
