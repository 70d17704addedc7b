import { type Tlp, tlpOf } from '../../domain/tlp.ts'
import type { EntityData } from './entity-data.ts'
import type { EntityMeta } from './meta.ts'

/** The meta of an entity in the database: references as ids, and a value for every column. */
export type StoredMeta = EntityMeta & {
  readonly tags: string[]
  readonly taxonomies: number[]
  readonly attacks: string[]
}

/** The columns of a stored entity that an update compares. */
export interface EntityRow {
  readonly id: string
  readonly stix_id: string
  readonly vis: number
  readonly is_unresolved: boolean
  readonly is_unified: boolean
  readonly data: EntityData & { readonly id: string }
  readonly meta: StoredMeta
  readonly source: string
  readonly observables: readonly number[]
}

/** The stored colour of an entity; TLP 2.0 colours are stored as their TLP 1 equivalents. */
export const colourOf = ({ tlp_color }: EntityMeta, downgrade: 'RED' | 'AMBER'): Tlp | null =>
  tlp_color === null || tlp_color === undefined ? null : tlpOf(tlp_color, downgrade)
