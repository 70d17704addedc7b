import { z } from 'zod'
import { string } from '../engine/field.ts'
import { defineSetting } from './setting.ts'

/** The license key that clients of the API expect to find; nothing depends on it. */
export const license = defineSetting({
  name: 'license',
  doc: 'the license key; nothing depends on it',
  schema: z.object({ license_key: string(0, 100_000).nullable().default(null) }),
})
