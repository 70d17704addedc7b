import { Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { nameOf, useNames } from '../../api/names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { frameworkName } from './framework.ts'
import { decidedQuery, isOf } from './review.ts'

/** What was decided about nodes with several successors. */
export function DecidedReviews({ matrix }: { readonly matrix: string }) {
  const list = useQuery(decidedQuery)
  const users = useNames('users')
  if (list.error) return <LoadFault query={list} />
  if (!list.data) return <Skeleton h={240} role="status" aria-label="Loading reviews" />
  const reviews = list.data.filter((review) => isOf(review, matrix))
  if (reviews.length === 0) return <EmptyState title="No decided reviews" />
  return (
    <TableFrame minWidth={760}>
      <Table aria-label="Decided reviews">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Node</Table.Th>
            <Table.Th>Decision</Table.Th>
            <Table.Th w={160}>Framework</Table.Th>
            <Table.Th w={170}>Decided</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reviews.map((review) => (
            <Table.Tr key={review.id}>
              <Table.Td>
                <Text size="sm">{review.node.name}</Text>
                <Text size="xs" c="dimmed" className="code">
                  {review.node.id}
                </Text>
              </Table.Td>
              <Table.Td>
                {review.state === 'kept' ? (
                  <Text size="sm">Kept</Text>
                ) : (
                  review.successors
                    .filter(({ id }) => review.chosen.includes(id))
                    .map(({ id, name }) => (
                      <Text key={id} size="sm">
                        {name}{' '}
                        <Text component="span" size="xs" c="dimmed" className="code">
                          {id}
                        </Text>
                      </Text>
                    ))
                )}
              </Table.Td>
              <Table.Td>
                <PageLink to={`/attack/frameworks/${review.load}`}>{frameworkName(review.matrix)}</PageLink>
              </Table.Td>
              <Table.Td>
                {review.decided_at && <Moment at={review.decided_at} />}
                {review.decided_by !== null && (
                  <Text size="xs" c="dimmed">
                    {nameOf(users, review.decided_by)}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}
