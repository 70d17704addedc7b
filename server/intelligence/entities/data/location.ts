import { z } from 'zod'
import { dataOf } from './shared-fields.ts'

/** A place on Earth. */
export const location = dataOf('location', {
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  precision: z.number().min(0),
  region: z.string(),
  country: z.string(),
  administrative_area: z.string(),
  city: z.string(),
  street_address: z.string(),
  postal_code: z.string(),
})
