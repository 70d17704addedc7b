import type { Analysis } from './analysis.ts'

/** What an analysis can cover. */
export const SCOPES = {
  all: { label: 'Everything visible', description: 'Every reader gets a result from the entities they can see.' },
  entities: { label: 'Entities', description: 'For example the actors that you follow.' },
  dataset: { label: 'Dataset', description: 'The result changes with the entities of the dataset.' },
} as const

export type ScopeKind = keyof typeof SCOPES

/** What an analysis covers. */
export const scopeKindOf = ({
  scope_entities,
  scope_datasets,
}: Pick<Analysis, 'scope_entities' | 'scope_datasets'>): ScopeKind =>
  scope_entities.length > 0 ? 'entities' : scope_datasets.length > 0 ? 'dataset' : 'all'
