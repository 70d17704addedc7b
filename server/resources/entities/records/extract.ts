import { z } from 'zod'
import { recordOf } from './shape.ts'

/** An observable inside an entity, by its kind and value. */
export const extract = recordOf(
  { kind: z.string().min(1), value: z.string().min(1) },
  {
    link_type: z.string().nullable(),
    classification: z.enum(['good', 'bad', 'unknown']).nullable(),
    confidence: z.enum(['low', 'medium', 'high']).nullable(),
  },
)
