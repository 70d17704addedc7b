import { idOf } from '../../api/lists.ts'

/** The collection of analyses. */
export const ANALYSES = 'attack_analyses'

/** The collection of annotations. */
export const ANNOTATIONS = `${ANALYSES}/annotations`

/** A view of one matrix: everything visible, some entities, or the entities of a dataset. */
export interface Analysis {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly attack_matrix: string
  readonly scope_datasets: readonly string[]
  readonly scope_entities: readonly string[]
  /** `layer` is an imported layer of ATT&CK Navigator. */
  readonly ui_metadata: Readonly<Record<string, unknown>>
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
}

/** A note of an analysis about one node. */
export interface Annotation {
  readonly id: number
  readonly attack_analysis: string
  readonly attack_node: string
  readonly content: string
}

/** The id at the end of the URL of a node, in which colons may be encoded. */
export const nodeIdOf = (url: string): string => decodeURIComponent(idOf(url))

/** What an analysis covers, in words; datasets are named elsewhere. */
export function scopeInWords({ scope_datasets, scope_entities }: Pick<Analysis, 'scope_datasets' | 'scope_entities'>) {
  const parts = [
    ...(scope_entities.length > 0 ? [counted(scope_entities.length, 'entity', 'entities')] : []),
    ...(scope_datasets.length > 0 ? [counted(scope_datasets.length, 'dataset', 'datasets')] : []),
  ]
  return parts.join(' and ') || 'All visible entities'
}

/** A number with its noun. */
export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
