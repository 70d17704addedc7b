import { useQuery } from '@tanstack/react-query'
import { idOf, oneQuery, type Parameters } from '../../api/lists.ts'
import { useNames } from '../../api/names.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { useNamedEntities } from '../../intelligence/use-named-entities.ts'
import { ANALYSES, type Analysis, counted } from '../analyses/analysis.ts'
import { scopeKindOf } from '../analyses/scope-kind.ts'
import { readSide } from './comparison-side.ts'

/** Up to this many entities are named. */
const MAX_NAMED = 3

/** The name of a side for the legend. */
export function useSideName(side: string): string {
  const { kind, ids } = readSide(side)
  const [id = ''] = ids
  const isAnalysis = kind === 'analysis' || kind === 'layer'
  const analysis = useQuery({ ...oneQuery<Analysis>(`${ANALYSES}/${id}`), enabled: isAnalysis })
  const datasets = useNames('datasets')
  const entities = useNamedEntities(kind === 'entities' && ids.length <= MAX_NAMED ? ids : [])
  if (isAnalysis) {
    const name = defangText(analysis.data?.name ?? `analysis ${id}`)
    return kind === 'layer' ? `${name} (layer)` : name
  }
  if (kind === 'dataset') return defangText(datasets.get(id) ?? `dataset ${id}`)
  if (kind !== 'entities') return 'everything'
  const titles = [...(entities?.values() ?? [])].map(entityTitle)
  return titles.length === ids.length ? titles.join(', ') : counted(ids.length, 'entity', 'entities')
}

/** The parameters of heat for the entities of both sides together. Layers have none. */
export function useSidesScope(left: string, right: string): Parameters {
  const [first, second] = [useSideScope(left), useSideScope(right)]
  const known = [first, second].filter((scope) => scope !== undefined)
  const [datasets, entities] = [known.flatMap(({ dataset }) => dataset), known.flatMap(({ entities }) => entities)]
  // A side without either is everything.
  if (known.some((scope) => scope.dataset.length + scope.entities.length === 0)) return {}
  return { ...(datasets.length > 0 && { dataset: datasets }), ...(entities.length > 0 && { entities }) }
}

interface SideScope {
  readonly dataset: readonly string[]
  readonly entities: readonly string[]
}

function useSideScope(side: string): SideScope | undefined {
  const { kind, ids } = readSide(side)
  const isAnalysis = kind === 'analysis'
  const { data } = useQuery({ ...oneQuery<Analysis>(`${ANALYSES}/${ids[0]}`), enabled: isAnalysis })
  if (kind === 'entities') return { dataset: [], entities: ids }
  if (kind === 'dataset') return { dataset: ids, entities: [] }
  if (kind === 'layer' || (isAnalysis && !data)) return undefined
  if (!data) return { dataset: [], entities: [] }
  if (data.ui_metadata.layer !== undefined && scopeKindOf(data) === 'all') return undefined
  return { dataset: data.scope_datasets.map(idOf), entities: data.scope_entities.map(idOf) }
}
