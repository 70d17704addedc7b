import { z } from 'zod'
import { informationSource } from '../records/information-source.ts'
import { words } from '../records/shape.ts'
import { impact } from '../records/statement.ts'
import { dataOf, seen } from './shared-fields.ts'

/** That something was seen; the vendor's older name for the type is read and answered as the current one. */
export const vendorSighting = dataOf('vendor-sighting', {
  count: z.int().min(0).max(999_999_999),
  likely_impact: impact,
  observed_data_refs: words,
  security_control: informationSource,
  sighting_of_ref: z.string(),
  summary: z.boolean(),
  where_sighted_refs: words,
  ...seen,
}).extend({
  type: z
    .enum(['vendor-sighting', 'eclecticiq-sighting'])
    .transform(() => 'vendor-sighting' as const)
    .pipe(z.literal('vendor-sighting')),
})
