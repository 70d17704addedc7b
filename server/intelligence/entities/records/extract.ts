import { z } from 'zod'
import { observableOf } from '../../../domain/observables/read.ts'
import { recordOf } from './shape.ts'

/** An observable inside an entity, by its kind and value. */
export const extract = recordOf(
  { kind: z.string(), value: z.string() },
  {
    link_type: z.string().nullable(),
    classification: z.enum(['good', 'bad', 'unknown']).nullable(),
    confidence: z.enum(['low', 'medium', 'high']).nullable(),
  },
).superRefine(({ kind, value }, check) => {
  const found = observableOf(kind, value, 'kind')
  if ('fault' in found) check.addIssue({ code: 'custom', message: found.fault, path: [found.field] })
})
