import { Alert, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Parameters } from '../../api/lists.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import { matrixName } from '../matrices.ts'
import { comparisonFaces } from './faces.ts'
import { comparisonLayers } from './layers.ts'
import { comparisonLegend } from './legend-groups.ts'
import { MatrixBoard } from './matrix-board.tsx'
import { type Compared, comparisonQuery } from './matrix-data.ts'
import { matrixTreeQuery } from './matrix-tree.ts'
import { NodePanel } from './node-panel.tsx'
import { useSideName, useSidesScope } from './use-side-name.ts'
import { useView } from './use-view.ts'

interface CompareBoardProps {
  readonly matrix: string
  /** Both sides as the API takes them, such as `entities:…`. */
  readonly left: string
  readonly right: string
  /** The parameters of heat for both sides; those that name entities have no meaning here. */
  readonly parameters: Parameters
}

/** A matrix with what only one side has, what both have, and what only the other has. */
export function CompareBoard({
  matrix,
  left,
  right,
  parameters: { dataset: _, entities: __, ...shared },
}: CompareBoardProps) {
  const shown = useView()
  const tree = useQuery(matrixTreeQuery(matrix))
  const comparison = useQuery(comparisonQuery(left, right, shared))
  const scope = useSidesScope(left, right)
  const names = { left: useSideName(left), right: useSideName(right) }
  const nodes = comparison.data?.data.nodes
  const faceOf = useMemo(() => comparisonFaces(nodes ?? []), [nodes])
  const fault = [tree, comparison].find(({ error }) => error !== null)
  if (fault) return <LoadFault query={fault} />
  if (!tree.data || !nodes) return <Skeleton h={480} role="status" aria-label="Loading comparison" />
  const counts = countsOf(nodes.filter(({ id }) => tree.data.places.has(id)))
  return (
    <MatrixBoard
      key={matrix}
      matrix={matrix}
      label={`${matrixName(matrix)} comparison`}
      title={`${matrixName(matrix)}: ${names.left} and ${names.right}`}
      layers={comparisonLayers(matrix, { left, right }, names, shared)}
      tree={tree.data}
      faceOf={faceOf}
      shown={shown}
      legend={comparisonLegend(names, counts)}
      note={
        nodes.length === 0 && (
          <Alert color="gray" variant="light" title="Nothing to compare">
            Neither side has a technique of this matrix.
          </Alert>
        )
      }
      panel={(place, onClose) => (
        <NodePanel
          place={place}
          parameters={{ ...shared, ...scope, matrix }}
          gap={undefined}
          analysis={undefined}
          onClose={onClose}
        />
      )}
    />
  )
}

function countsOf(nodes: readonly Compared[]) {
  const of = (isCounted: (node: Compared) => boolean) => nodes.filter(isCounted).length
  return {
    left: of(({ left, right }) => left > 0 && right === 0),
    both: of(({ left, right }) => left > 0 && right > 0),
    right: of(({ left, right }) => left === 0 && right > 0),
  }
}
