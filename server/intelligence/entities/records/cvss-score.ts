import { z } from 'zod'
import { recordOf } from './shape.ts'

/** How severe a vulnerability is, by the Common Vulnerability Scoring System. */
export const cvssScore = recordOf(
  {},
  {
    type: z.literal('cvss-vector'),
    base_score: z.string(),
    base_vector: z.string(),
    environmental_score: z.string(),
    environmental_vector: z.string(),
    overall_score: z.string(),
    temporal_score: z.string(),
    temporal_vector: z.string(),
  },
)
