import { z } from 'zod'
import { recordOf } from './shape.ts'

/** A Lucene query in the form that search clients wrap it in. */
export const searchQuery = recordOf({ query_string: recordOf({ query: z.string() }, { lenient: z.boolean() }) }, {})
