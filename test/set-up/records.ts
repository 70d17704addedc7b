import type { z } from 'zod'
import { faultsOf, messageOf } from '../../server/engine/body.ts'

/** The validation errors of a value, as in an error response. */
export const faults = (schema: z.ZodType, value: unknown): string[] => {
  const { error } = schema.safeParse(value, { error: messageOf })
  return error ? faultsOf(error) : []
}

/** Valid records. */
export const asset = {
  asset_type: 'Server',
  description: 'x',
  location_class: 'Mobile',
  management_class: 'Unknown',
  ownership_class: 'Unknown',
}
export const md5 = { type: 'hash', hash_type: 'MD5', value: 'd41d8cd98f00b204e9800998ecf8427e' }
export const sure = { type: 'confidence', value: 'High' }
