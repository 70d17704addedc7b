import { Skeleton, Stack, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { NodeName } from '../node-name.tsx'
import { namedNodesQuery } from '../nodes.ts'
import type { Analysis } from './analysis.ts'
import { AnnotationCell } from './annotation-cell.tsx'
import { useAnnotations } from './use-annotations.ts'

/** All annotations of an analysis. */
export function AnnotationsTab({ analysis }: { readonly analysis: Analysis }) {
  const nodes = useQuery(namedNodesQuery(analysis.attack_matrix))
  const { list, byNode } = useAnnotations(analysis.id)
  return (
    <Stack gap="sm">
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={160} role="status" aria-label="Loading annotations" />}
      {byNode?.size === 0 && (
        <EmptyState title="No annotations yet">
          Select a technique in the matrix to note what you know or decided about it. Annotations are exported as
          comments of a layer.
        </EmptyState>
      )}
      {byNode && byNode.size > 0 && (
        <TableFrame minWidth={560}>
          <Table aria-label="Annotations">
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={320}>Technique</Table.Th>
                <Table.Th>Annotation</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {[...byNode].map(([node, annotation]) => (
                <Table.Tr key={node}>
                  <Table.Td>
                    <NodeName id={node} nodes={nodes.data} />
                  </Table.Td>
                  <Table.Td>
                    <AnnotationCell analysis={analysis.id} node={node} annotation={annotation} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableFrame>
      )}
    </Stack>
  )
}
