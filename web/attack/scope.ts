import type { Parameters } from '../api/lists.ts'
import { idOf } from '../api/lists.ts'
import type { UrlState } from '../ui/use-url-state.ts'
import type { Analysis } from './analyses/analysis.ts'
import { DEFAULT_MATRIX } from './matrices.ts'

/** Which entities count. */
export interface Scope {
  readonly matrix: string
  readonly kind: 'all' | 'dataset' | 'entities' | 'analysis'
  /** The id of the dataset or the analysis, or those of the entities, separated by commas. */
  readonly value: string
  readonly query: string
  /** Whether entities count for the techniques of what they are related to as well. */
  readonly hasRelations: boolean
}

const KINDS = ['analysis', 'dataset', 'entities'] as const

/** The scope in the URL of a page. */
export function scopeIn(url: Pick<UrlState, 'get'>): Scope {
  const kind = KINDS.find((name) => url.get(name) !== '') ?? 'all'
  return {
    matrix: url.get('matrix') || DEFAULT_MATRIX,
    kind,
    value: kind === 'all' ? '' : url.get(kind),
    query: url.get('query'),
    hasRelations: url.get('relations') === 'true',
  }
}

/** The query parameters of a scope for the URL of a page. */
export const urlOf = ({
  matrix,
  kind,
  value,
  query,
  hasRelations,
}: Scope): Readonly<Record<string, string | null>> => ({
  analysis: null,
  dataset: null,
  entities: null,
  ...(kind !== 'all' && { [kind]: value }),
  matrix: matrix === DEFAULT_MATRIX ? null : matrix,
  query: query || null,
  relations: hasRelations ? 'true' : null,
})

/**
 * The parameters of a scope for the API. An analysis is its matrix with its datasets and entities; undefined until it is loaded.
 */
export function heatParametersOf(scope: Scope, analysis: Analysis | undefined): Parameters | undefined {
  const { matrix, kind, value, query, hasRelations } = scope
  if (kind === 'analysis' && !analysis) return undefined
  const covered =
    kind === 'analysis' && analysis
      ? { dataset: analysis.scope_datasets.map(idOf), entities: analysis.scope_entities.map(idOf) }
      : kind === 'all'
        ? {}
        : { [kind]: value.split(',') }
  return {
    matrix: analysis && kind === 'analysis' ? analysis.attack_matrix : matrix,
    ...covered,
    ...(query !== '' && { query }),
    ...(hasRelations && { relations: true }),
  }
}
