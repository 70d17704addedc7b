import { z } from 'zod'
import { words } from '../records/shape.ts'
import { time } from '../records/time.ts'
import { term } from '../records/vocabulary.ts'
import { dataOf } from './shared-fields.ts'

/** Intelligence about one or more topics, published as a whole. */
export const report = dataOf('report', {
  report_types: words,
  intents: z.array(term),
  published: time,
  object_refs: words,
})
