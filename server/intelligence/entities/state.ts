import { type Tlp, tlpOf } from '../../domain/tlp.ts'
import type { EntityData } from './entity-data.ts'
import type { EntityMeta } from './meta.ts'

/** The meta of an entity as it is stored: references as ids, and a value in every column. */
export type StoredMeta = EntityMeta & {
  readonly tags: string[]
  readonly taxonomies: number[]
  readonly attacks: string[]
}

/** A stored entity, as far as a change of it needs to know. */
export interface EntityRow {
  readonly id: string
  readonly stix_id: string
  readonly vis: number
  readonly is_unresolved: boolean
  readonly data: EntityData & { readonly id: string }
  readonly meta: StoredMeta
  readonly source: string
  readonly observables: readonly number[]
}

/** The colour of an entity; the older colours stand for those of TLP 2.0. */
export const colourOf = ({ tlp_color }: EntityMeta, downgrade: 'RED' | 'AMBER'): Tlp | null =>
  tlp_color === null || tlp_color === undefined ? null : tlpOf(tlp_color, downgrade)
