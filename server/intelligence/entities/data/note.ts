import { z } from 'zod'
import { words } from '../records/shape.ts'
import { dataOf } from './shared-fields.ts'

/** A comment on other objects. */
export const note = dataOf('note', {
  abstract: z.string(),
  content: z.string(),
  authors: words,
  object_refs: words,
})
