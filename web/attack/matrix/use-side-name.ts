import { useQuery } from '@tanstack/react-query'
import { oneQuery } from '../../api/lists.ts'
import { useNames } from '../../api/names.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { useNamedEntities } from '../../intelligence/use-named-entities.ts'
import { ANALYSES, type Analysis, counted } from '../analyses/analysis.ts'
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
  if (isAnalysis) return defangText(analysis.data?.name ?? `analysis ${id}`)
  if (kind === 'dataset') return defangText(datasets.get(id) ?? `dataset ${id}`)
  if (kind !== 'entities') return 'everything'
  const titles = [...(entities?.values() ?? [])].map(entityTitle)
  return titles.length === ids.length ? titles.join(', ') : counted(ids.length, 'entity', 'entities')
}

/** A side as it is compared: an analysis that was made of a layer stands for its layer. Undefined until that is known. */
export function useComparedSide(side: string): string | undefined {
  const { kind, ids } = readSide(side)
  const isAnalysis = kind === 'analysis'
  const { data, error } = useQuery({ ...oneQuery<Analysis>(`${ANALYSES}/${ids[0]}`), enabled: isAnalysis })
  if (!isAnalysis || error) return side
  return data && (data.ui_metadata.layer === undefined ? side : `layer:${data.id}`)
}
