import { Skeleton, Stack, Table } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { endlessQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { Ticket } from '../../api/resources.ts'
import { defangText } from '../../domain/defang-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { DueDate, PriorityBadge, StatusBadge } from './ticket-badges.tsx'
import { type TicketFilters, ticketParameters } from './ticket-list.ts'

interface TicketTableProps {
  readonly filters: TicketFilters
  /** The button that creates a ticket. */
  readonly create: ReactNode
}

/** Tickets as a list, recently updated first. */
export function TicketTable({ filters, create }: TicketTableProps) {
  const users = useNames('users')
  const list = useInfiniteQuery(endlessQuery<Ticket>('tickets', ticketParameters(filters)))
  const tickets = list.data?.pages.flatMap(({ data }) => data)
  return (
    <Stack gap="xs">
      <ErrorFaults error={list.error} />
      {list.isPending && <Skeleton h={240} role="status" aria-label="Loading tickets" />}
      {tickets?.length === 0 && (
        <EmptyState title="No tickets" action={create}>
          Create a ticket to track follow-up work, or remove filters to see other tickets.
        </EmptyState>
      )}
      {tickets && tickets.length > 0 && (
        <TableFrame minWidth={700}>
          <Table highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th>Priority</Table.Th>
                <Table.Th>Assignee</Table.Th>
                <Table.Th>Due</Table.Th>
                <Table.Th>Last updated</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {tickets.map((ticket) => (
                <Table.Tr key={ticket.id}>
                  <Table.Td>
                    <PageLink to={`/tickets/${ticket.id}`}>{defangText(ticket.name)}</PageLink>
                  </Table.Td>
                  <Table.Td>
                    <StatusBadge status={ticket.status} />
                  </Table.Td>
                  <Table.Td>
                    <PriorityBadge priority={ticket.priority} />
                  </Table.Td>
                  <Table.Td>{ticket.assignee && nameOf(users, ticket.assignee)}</Table.Td>
                  <Table.Td>
                    <DueDate ticket={ticket} />
                  </Table.Td>
                  <Table.Td>
                    <Moment at={ticket.last_updated_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableFrame>
      )}
      <ListEnd list={list} />
    </Stack>
  )
}
