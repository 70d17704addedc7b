import { z } from 'zod'
import { string } from '../engine/field.ts'
import { defineSetting } from './setting.ts'
import { webAddress } from './values.ts'

/** How this installation identifies itself in STIX. */
export const stix = defineSetting({
  name: 'stix',
  doc: 'how this installation identifies itself in STIX',
  schema: z.object({
    alias: string(0, 500).default(''),
    namespace: webAddress()
      .max(400)
      .nullable()
      .default(null)
      .describe('The namespace of STIX ids for new entities; null means the URL of this server.'),
    producer: string(0, 500).default(''),
  }),
})
