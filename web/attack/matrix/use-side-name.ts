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
  const analysis = useQuery({ ...oneQuery<Analysis>(`${ANALYSES}/${id}`), enabled: kind === 'analysis' })
  const datasets = useNames('datasets')
  const entities = useNamedEntities(kind === 'entities' && ids.length <= MAX_NAMED ? ids : [])
  if (kind === 'analysis') return defangText(analysis.data?.name ?? `analysis ${id}`)
  if (kind === 'dataset') return defangText(datasets.get(id) ?? `dataset ${id}`)
  if (kind !== 'entities') return 'everything'
  const titles = [...(entities?.values() ?? [])].map(entityTitle)
  return titles.length === ids.length ? titles.join(', ') : counted(ids.length, 'entity', 'entities')
}
