import { z } from 'zod'
import { string } from '../engine/field.ts'
import { defineSetting } from './setting.ts'

/** The license key that API clients expect. It has no effect. */
export const license = defineSetting({
  name: 'license',
  doc: 'the license key; it has no effect',
  schema: z.object({ license_key: string(0, 100_000).nullable().default(null) }),
})
