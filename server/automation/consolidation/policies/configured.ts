import { z } from 'zod'
import { MATCHED_TYPES } from '../matching/keys.ts'

/** The maximum number of sources of a configuration. */
export const MAX_SOURCES = 1000

/** The types of a configuration, as clients send them. */
export const configuredTypes = z
  .array(z.enum(MATCHED_TYPES, { error: `must be one of ${MATCHED_TYPES.join(', ')}` }))
  .min(1)
  .max(MATCHED_TYPES.length * 2)
  .overwrite((types) => [...new Set(types)])
