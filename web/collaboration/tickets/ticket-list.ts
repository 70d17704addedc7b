import type { InfiniteData } from '@tanstack/react-query'
import type { Page, Parameters } from '../../api/lists.ts'
import type { Ticket } from '../../api/resources.ts'

export type Status = Ticket['status']
export type Priority = NonNullable<Ticket['priority']>

/** The statuses of a ticket in workflow order. */
export const STATUSES = [
  { value: 'OPEN', label: 'Open', color: 'blue' },
  { value: 'IN_PROGRESS', label: 'In progress', color: 'violet' },
  { value: 'PENDING', label: 'Pending', color: 'yellow' },
  { value: 'CLOSED', label: 'Closed', color: 'green' },
] as const satisfies readonly { value: Status; label: string; color: string }[]

/** The name of a status. */
export const statusName = (status: string): string =>
  STATUSES.find(({ value }) => value === status)?.label ?? (status === '' ? 'No status' : status)

export const PRIORITIES = [
  { value: 'CRITICAL', label: 'Critical', color: 'red' },
  { value: 'HIGH', label: 'High', color: 'orange' },
  { value: 'MEDIUM', label: 'Medium', color: 'yellow' },
  { value: 'LOW', label: 'Low', color: 'gray' },
] as const satisfies readonly { value: Priority; label: string; color: string }[]

/** The filters of the ticket list; empty texts do not filter. */
export interface TicketFilters {
  readonly assignee: string
  readonly priority: string
  readonly workspace: string
}

const PAGE_SIZE = 50

/** The query parameters for tickets, recently updated first. */
export function ticketParameters(filters: TicketFilters, status?: Status): Parameters {
  const { assignee, priority, workspace } = filters
  return {
    ...(status !== undefined && { 'filter[status]': status }),
    ...(assignee !== '' && { 'filter[assignee]': assignee }),
    ...(priority !== '' && { 'filter[priority]': priority }),
    ...(workspace !== '' && { 'filter[workspaces]': workspace }),
    sort: '-last_updated_at',
    limit: PAGE_SIZE,
  }
}

/** The next or previous status; undefined at the ends of the board. */
export function adjacentStatus(status: Status, step: 1 | -1): Status | undefined {
  const place = STATUSES.findIndex(({ value }) => value === status)
  return STATUSES[place + step]?.value
}

/** Whether a ticket is overdue. */
export const isOverdue = ({ due_at, status }: Pick<Ticket, 'due_at' | 'status'>, now: number): boolean =>
  due_at !== null && status !== 'CLOSED' && Date.parse(due_at) < now

export type Tickets = InfiniteData<Page<Ticket>>

/** A column without a ticket. */
export function without(column: Tickets, id: number): Tickets {
  return {
    ...column,
    pages: column.pages.map((page) => {
      const data = page.data.filter((ticket) => ticket.id !== id)
      const isHere = data.length < page.data.length
      return isHere ? { ...page, data, total_count: page.total_count - 1 } : page
    }),
  }
}

/** A column with a ticket on top. */
export function withFirst(column: Tickets, ticket: Ticket): Tickets {
  const [first, ...rest] = without(column, ticket.id).pages
  if (!first) return column
  return {
    ...column,
    pages: [{ ...first, data: [ticket, ...first.data], total_count: first.total_count + 1 }, ...rest],
  }
}

/** A time for a browser input, in UTC to the minute. */
export const toInput = (at: string | null): string => (at === null ? '' : new Date(at).toISOString().slice(0, 16))

/** The time of a browser input, for the API. */
export const fromInput = (text: string): string | null => (text === '' ? null : `${text}:00Z`)
