import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { defangText } from '../../domain/defang-text.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import type { Analysis } from '../analyses/analysis.ts'
import { matrixName } from '../matrices.ts'
import { layerFaces } from './faces.ts'
import { useHeatLayers } from './layers.ts'
import { layerLegend } from './legend-groups.ts'
import { MatrixBoard } from './matrix-board.tsx'
import { comparisonQuery } from './matrix-data.ts'
import { matrixTreeQuery } from './matrix-tree.ts'
import { NodePanel } from './node-panel.tsx'
import { useView } from './use-view.ts'

/** The matrix with the scores of an imported layer. */
export function LayerBoard({ analysis: { id, name, attack_matrix: matrix } }: { readonly analysis: Analysis }) {
  const shown = useView()
  const tree = useQuery(matrixTreeQuery(matrix))
  // A layer compared with itself: which techniques it marks is decided in one place.
  const marked = useQuery(comparisonQuery(`layer:${id}`, `layer:${id}`, { matrix }))
  const nodes = marked.data?.data.nodes
  const { faceOf, scale } = useMemo(() => layerFaces(nodes ?? []), [nodes])
  const layers = useHeatLayers(matrix, { matrix }, id)
  const fault = [tree, marked].find(({ error }) => error !== null)
  if (fault) return <LoadFault query={fault} />
  if (!tree.data || !nodes) return <Skeleton h={480} role="status" aria-label="Loading layer" />
  return (
    <MatrixBoard
      matrix={matrix}
      label={`${matrixName(matrix)} layer`}
      title={defangText(name)}
      layers={layers}
      tree={tree.data}
      faceOf={faceOf}
      shown={shown}
      legend={layerLegend(scale)}
      panel={(place, onClose) => (
        <NodePanel place={place} parameters={{ matrix }} gap={undefined} analysis={id} onClose={onClose} />
      )}
    />
  )
}
