import { z } from 'zod'
import { string } from '../engine/field.ts'
import { defineSetting } from './setting.ts'

/** The name of this installation as a producer of configuration bundles. */
export const bundleProducer = defineSetting({
  name: 'bundle-producer',
  doc: 'the name of this installation as a producer of configuration bundles',
  schema: z.object({ name: string(1, 500) }),
  readOnly: z.object({ api_url: z.null().default(null) }),
})
