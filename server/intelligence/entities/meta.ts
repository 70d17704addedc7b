import { z } from 'zod'
import { COMPUTED_META } from '../../domain/computed-meta.ts'
import { TLP } from '../../domain/tlp.ts'
import { readTime, time } from '../../engine/field.ts'
import { NOT_MINE, quickReader, type Read } from '../../engine/quick.ts'
import { isStorable, refuseUnstorable } from '../../engine/storable.ts'
import { extract } from './records/extract.ts'
import { reportTemplateSummary } from './records/report-template-summary.ts'
import { recordOf } from './records/shape.ts'

/** The colours that may be sent: those of TLP 2.0 are turned into the older ones when they are stored. */
export const tlpInput = z.enum([...TLP, 'CLEAR', 'AMBER_STRICT'])

/** How far a source can be trusted, from A (always) to F (cannot be judged). */
export const sourceReliability = z.enum(['A', 'B', 'C', 'D', 'E', 'F'])

const references = z.array(z.union([z.string().min(1), z.int()], { error: 'must be an id, a URL or a path' }))

const metaFields = recordOf(
  {},
  {
    alias: z.string(),
    attacks: references,
    estimated_observed_time: time.nullable(),
    estimated_threat_start_time: time.nullable(),
    estimated_threat_end_time: time.nullable(),
    half_life: z.int().min(1).max(10_000_000),
    manual_extracts: z.array(extract),
    report_template: reportTemplateSummary.nullable(),
    source_reliability: sourceReliability.nullable(),
    // Clients that split an empty text send one empty tag.
    tags: z.array(z.string().max(500)).overwrite((tags) => tags.filter((tag) => tag.trim() !== '')),
    taxonomies: references,
    tlp_color: tlpInput.nullable(),
  },
)

/** What can be said of an entity beside its data. */
export const entityMeta = metaFields.overwrite(withoutReadOnly).check(refuseUnstorable)

const readFields = quickReader(metaFields, new Map([[time, readTime]]))

/** Reads what `entityMeta` takes, faster. */
export const readEntityMeta: Read = (value) => {
  const meta = readFields(value)
  return meta !== NOT_MINE && isStorable(meta) ? withoutReadOnly(meta as Record<string, unknown>) : NOT_MINE
}

/** The meta of an entity as it is sent and stored. */
export type EntityMeta = z.output<typeof entityMeta>

function withoutReadOnly<M extends Record<string, unknown>>(meta: M): M {
  if (!COMPUTED_META.some((name) => Object.hasOwn(meta, name))) return meta
  const computed = new Set<string>(COMPUTED_META)
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !computed.has(name))) as M
}
