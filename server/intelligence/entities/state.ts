import { type Tlp, tlpOf } from '../../domain/tlp.ts'
import type { Item } from '../../engine/resource.ts'
import { parseTimestamp } from '../../engine/timestamp.ts'
import { type EntityData, halfLives } from './entity-data.ts'
import type { EntityMeta } from './meta.ts'

/** The parts of an entity that have columns of their own; the rest of its meta is kept as a document. */
export interface EntityColumns {
  readonly half_life: number
  readonly threat_start: string | null
  readonly threat_end: string | null
  readonly observed: string | null
  readonly tags: readonly string[]
  readonly attacks: readonly string[]
  readonly meta: Item
}

/** A stored entity, as far as a change of it needs to know. */
export interface EntityRow extends EntityColumns {
  readonly id: string
  readonly stix_id: string
  readonly vis: number
  readonly is_unresolved: boolean
  readonly data: EntityData & { readonly id: string }
  readonly source: string
  readonly taxonomies: readonly number[]
  readonly observables: readonly number[]
}

/** The colour of an entity; the older colours stand for those of TLP 2.0. */
export const colourOf = ({ tlp_color }: EntityMeta, downgrade: 'RED' | 'AMBER'): Tlp | null =>
  tlp_color === null || tlp_color === undefined ? null : tlpOf(tlp_color, downgrade)

/** A new entity with what it does not say itself. */
export function withDefaults(meta: EntityMeta, data: EntityData, now: string, tlp: Tlp | null = null): EntityMeta {
  return {
    ...meta,
    tlp_color: meta.tlp_color === undefined ? tlp : meta.tlp_color,
    half_life: meta.half_life ?? halfLives[data.type],
    estimated_threat_start_time: meta.estimated_threat_start_time ?? timeIn(data) ?? now,
    estimated_observed_time: meta.estimated_observed_time ?? now,
  }
}

/** Splits the meta of an entity into columns and the document that is left. */
export function columnsOf(
  data: EntityData,
  meta: EntityMeta,
  attacks: readonly string[],
  colour: Tlp | null,
): EntityColumns {
  const {
    half_life,
    estimated_threat_start_time,
    estimated_threat_end_time,
    estimated_observed_time,
    tags = [],
    attacks: _attacks,
    taxonomies: _taxonomies,
    manual_extracts: _extracts,
    tlp_color: _colour,
    ...rest
  } = meta
  return {
    half_life: half_life ?? halfLives[data.type],
    threat_start: estimated_threat_start_time ?? null,
    threat_end: estimated_threat_end_time ?? null,
    observed: estimated_observed_time ?? null,
    tags: distinct(tags.map((tag) => tag.trim())),
    attacks,
    meta: { ...rest, tlp_color: colour },
  }
}

/** Each once; there are seldom more than a few. */
const distinct = (tags: string[]): string[] =>
  tags.length > 20 ? [...new Set(tags)] : tags.filter((tag, i) => tags.indexOf(tag) === i)

/** The meta of a stored entity in the form in which it is sent. */
export const metaOf = (row: EntityColumns & { readonly taxonomies: readonly number[] }): EntityMeta => ({
  ...row.meta,
  half_life: row.half_life,
  estimated_threat_start_time: row.threat_start,
  estimated_threat_end_time: row.threat_end,
  estimated_observed_time: row.observed,
  tags: [...row.tags],
  taxonomies: [...row.taxonomies],
  attacks: [...row.attacks],
})

const timeIn = ({ timestamp }: EntityData): string | undefined =>
  typeof timestamp === 'string' ? parseTimestamp(timestamp) : undefined
