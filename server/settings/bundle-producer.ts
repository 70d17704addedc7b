import { z } from 'zod'
import { string } from '../engine/field.ts'
import { defineSetting } from './setting.ts'

/** What this installation is called where it offers bundles of its configuration to others. */
export const bundleProducer = defineSetting({
  name: 'bundle-producer',
  doc: 'what this installation is called as a producer of configuration bundles',
  schema: z.object({ name: string(1, 500) }),
  readOnly: z.object({ api_url: z.null().default(null) }),
})
