import { z } from 'zod'

/** Where something is described elsewhere. */
export const externalReferences = z.array(
  z.object({
    source_name: z.string(),
    external_id: z.string().optional(),
    url: z.string().optional(),
    description: z.string().optional(),
  }),
)
