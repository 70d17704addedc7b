import { z } from 'zod'
import { words } from '../records/shape.ts'
import { dataOf } from './shared-fields.ts'

/** What someone has to say about other objects. */
export const note = dataOf('note', {
  abstract: z.string(),
  content: z.string(),
  authors: words,
  object_refs: words,
})
