import { extractsOf, type ObservableLink } from '../../intelligence/entities/observables-in.ts'
import type { Draft } from './drafts.ts'

/** An entity that is there already. */
export interface Standing {
  readonly id: string
  readonly stix_id: string
  readonly is_unresolved: boolean
  readonly is_visible: boolean
  /** Whether it is of another source than the caller's own. */
  readonly is_foreign: boolean
  readonly version: string | null
  /** When its version was made, where the data says nothing of that. */
  readonly modified: string
  /** The tags that its document brought; null where that is not known. */
  readonly brought: readonly string[] | null
  readonly tags: readonly string[]
  readonly attacks: readonly string[]
  readonly taxonomies: readonly number[]
  readonly attachments: readonly string[]
  readonly observables: readonly number[]
  readonly is_withdrawn: boolean
  /** Whether its data says that it is. */
  readonly is_revoked: boolean
}

/** An entity of a document, and the one that is there already. */
export interface Sorted {
  readonly draft: Draft
  readonly before: Standing | undefined
}

/** All observables that an entity of a document names, inside its data and beside it. */
export const observablesIn = ({ item }: Draft): readonly ObservableLink[] => [
  ...(item.observables ?? []),
  ...extractsOf(item.data, item.meta),
]
