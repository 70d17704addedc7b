import { z } from 'zod'
import { informationSource } from '../records/information-source.ts'
import { words } from '../records/shape.ts'
import { impact } from '../records/statement.ts'
import { dataOf, seen } from './shared-fields.ts'

const CURRENT = 'vendor-sighting'

/** The vendor's older name for the type. */
export const OLDER_TYPE = 'eclecticiq-sighting'

/** Replaces the older name of a type by the current one. */
export const currentType = (type: string): string => (type === OLDER_TYPE ? CURRENT : type)

/** A sighting of something. The older name of the type is accepted, and returned as the current one. */
export const vendorSighting = dataOf(CURRENT, {
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
    .enum([CURRENT, OLDER_TYPE])
    .transform((): typeof CURRENT => CURRENT)
    .pipe(z.literal(CURRENT)),
})
