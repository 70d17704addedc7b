import { z } from 'zod'
import { recordOf } from './shape.ts'

/** A file inside an entity's data; the vendor's older name for it is accepted, and returned as the current one. */
export const dataAttachment = recordOf(
  {
    type: z
      .enum(['vendor-attachment', 'eclecticiq-attachment'])
      .transform(() => 'vendor-attachment' as const)
      .pipe(z.literal('vendor-attachment')),
    name: z.string(),
    content: z.string(),
  },
  { content_type: z.string() },
)
