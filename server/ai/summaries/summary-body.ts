import { z } from 'zod'
import { refuseUnstorable } from '../../engine/storable.ts'
import { idOf } from '../../intelligence/relational/step-fields.ts'

/** The entities that a request is about. */
export const oneToTenEntities = z.array(idOf('entities')).min(1).max(10)

/** What a user asks for in their own words. */
export const ownWords = (max: number) => z.string().trim().min(1).max(max).check(refuseUnstorable).nullish()

/** Whether a new answer is made although an earlier one from the same texts is known. */
export const refresh = z
  .boolean()
  .default(false)
  .describe('Whether to ask the model although an earlier answer is kept.')

/** A value in the answer that occurs in nothing that the model was given. */
export const unverifiedValue = z.object({ value: z.string(), start: z.int(), end: z.int() })

/** What the results of all summaries have. */
export const summaryResult = z.object({
  unverified_values: z
    .array(unverifiedValue)
    .describe('Addresses, hashes and other values that occur in nothing that the model was given, with their places.'),
  is_cut_off: z.boolean().describe('Whether the model stopped at its maximum length.'),
  is_cached: z.boolean().describe('Whether this is an earlier answer from the same texts.'),
})
