import { z } from 'zod'
import { string } from '../engine/field.ts'
import { defineSetting } from './setting.ts'
import { webAddress } from './values.ts'

/** How this installation names itself in STIX. */
export const stix = defineSetting({
  name: 'stix',
  doc: 'how this installation names itself in STIX',
  schema: z.object({
    alias: string(0, 500).default(''),
    namespace: webAddress()
      .max(400)
      .nullable()
      .default(null)
      .describe('What the STIX ids of new entities begin with; null is the address of this server.'),
    producer: string(0, 500).default(''),
  }),
})
