import { z } from 'zod'
import { TLP } from '../../domain/tlp.ts'
import { string } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { toUrl } from '../../engine/reference.ts'
import { currentType } from '../../intelligence/entities/data/vendor-sighting.ts'
import { entityTypes } from '../../intelligence/entities/entity-data.ts'
import { tlpInput } from '../../intelligence/entities/vocabulary.ts'

const MAX_CRITERIA = 200

/** One alternative of a rule, as it is stored: all members that are not null must match. */
export interface Criterion {
  readonly entity_type: string | null
  /** The id of a source. */
  readonly source: string | null
  readonly tlp: string | null
  /** Whether `tlp` is ignored. */
  readonly without_tlp: boolean
}

const type = string(1, 100)
  .overwrite(currentType)
  .pipe(z.enum(entityTypes, { error: `must be one of ${entityTypes.join(', ')}` }))

/** Criteria as clients send them. */
export const criteriaInput = z
  .array(
    z.strictObject({
      entity_type: type.nullable().default(null),
      source: link('sources')
        .transform(({ id }) => String(id))
        .nullable()
        .default(null),
      tlp: tlpInput.nullable().default(null),
      without_tlp: z.boolean().default(false),
    }),
  )
  .max(MAX_CRITERIA)

/** Criteria in responses. */
export const criteriaOutput = z.array(
  z.object({
    entity_type: z.enum(entityTypes).nullable(),
    source: z.url().nullable(),
    tlp: z.enum(TLP).nullable(),
    without_tlp: z.boolean().describe('Whether `tlp` is ignored.'),
  }),
)

/** Stored criteria as responses have them. */
export const showCriteria = (baseUrl: string, stored: unknown): unknown =>
  (stored as readonly Criterion[]).map((criterion) => ({
    ...criterion,
    source: criterion.source === null ? null : toUrl(baseUrl, 'sources', criterion.source),
  }))

/** Which time of an entity the period is about. */
export const TIME_FIELDS = ['ingestion', 'start', 'observed'] as const

export const MAX_DAYS = 36_500

/** What a rule finds among existing data. */
export interface Scope {
  readonly criteria: readonly Criterion[]
  readonly time_field: (typeof TIME_FIELDS)[number] | null
  /** Days; null for all. */
  readonly time_period: number | null
}

/** What is wrong with the times of a rule, by field. */
export function timeFaults(given: {
  readonly is_retroactive: boolean
  readonly execution_schedule: unknown
  readonly time_field: string | null
  readonly time_period: number | null
}): string[] {
  return [
    ...(given.execution_schedule !== null && !given.is_retroactive
      ? ['execution_schedule: must be null unless is_retroactive is true: new data is looked up without a schedule']
      : []),
    ...(given.time_period !== null && given.time_field === null ? ['time_field: is required with a time_period'] : []),
  ]
}
