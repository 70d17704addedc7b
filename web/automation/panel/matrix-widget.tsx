import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WidgetData } from '../../analytics/widget-queries.ts'
import { DEFAULT_MATRIX } from '../../attack/matrices.ts'
import { heatFaces } from '../../attack/matrix/faces.ts'
import { matrixTreeQuery } from '../../attack/matrix/matrix-tree.ts'
import { TinyMatrix } from '../../attack/matrix/tiny-matrix.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'

/** A matrix in a widget: its columns with tiny cells, linked to the page of the matrix. */
export function MatrixWidget({
  data: { matrix = DEFAULT_MATRIX, techniques = [], total_count },
}: {
  readonly data: WidgetData
}) {
  const tree = useQuery(matrixTreeQuery(matrix))
  if (tree.error) return <LoadFault query={tree} />
  if (!tree.data) return <Skeleton h="100%" mih={60} role="status" aria-label="Loading" />
  const { faceOf } = heatFaces(techniques, techniques, 'count')
  return (
    <>
      <TinyMatrix matrix={matrix} tree={tree.data} faceOf={faceOf} />
      <Text size="xs" c="dimmed">
        {total_count.toLocaleString('en')} {total_count === 1 ? 'entity' : 'entities'}
      </Text>
    </>
  )
}
