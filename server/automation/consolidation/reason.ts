import { z } from 'zod'

/** What entities have in common. */
export const reason = z.object({
  kind: z.string().describe('The kind of the key that they share, for example id, title or names.'),
  value: z.string().describe('The normalised value.'),
})
