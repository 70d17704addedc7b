import { z } from 'zod'
import { recordOf } from './shape.ts'
import { time } from './time.ts'

const MAX_INPUTS = 100

/** A name such as `ai_intel_summary`. Other versions and other platforms have more of them. */
const shortName = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be a name of lower-case letters, digits, _ and -')

/** How an entity was made by a language model. */
export const generatedByRecord = recordOf(
  {
    feature: shortName,
    provider: shortName,
    model: z.string().min(1).max(200),
    generated_at: time,
  },
  {
    prompt_hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hexadecimal')
      .nullable(),
    inputs: z.array(z.string().min(1).max(200)).max(MAX_INPUTS),
  },
).describe(
  'How a language model made it: feature, provider, model, hash of the prompt, time, and the ids of what it was made from.',
)
