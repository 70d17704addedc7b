import { Badge, Text } from '@mantine/core'
import type { Ticket } from '../../api/resources.ts'
import { Moment } from '../../ui/moment.tsx'
import { isOverdue, PRIORITIES, STATUSES, statusName } from './ticket-list.ts'

/** The priority of a ticket. */
export function PriorityBadge({ priority }: Pick<Ticket, 'priority'>) {
  const found = PRIORITIES.find(({ value }) => value === priority)
  if (!found) return null
  return (
    <Badge variant="light" radius="xs" size="sm" color={found.color}>
      {found.label}
    </Badge>
  )
}

/** The status of a ticket. */
export function StatusBadge({ status }: Pick<Ticket, 'status'>) {
  return (
    <Badge variant="light" radius="xs" color={STATUSES.find(({ value }) => value === status)?.color ?? 'gray'}>
      {statusName(status)}
    </Badge>
  )
}

/** The due date of a ticket, and whether it is overdue. */
export function DueDate({ ticket }: { readonly ticket: Pick<Ticket, 'due_at' | 'status'> }) {
  if (ticket.due_at === null) return null
  const isLate = isOverdue(ticket, Date.now())
  return (
    <Text span inherit {...(isLate && { c: 'var(--mantine-color-error)', fw: 600 })}>
      {isLate ? 'Overdue ' : 'Due '}
      <Moment at={ticket.due_at} />
    </Text>
  )
}
