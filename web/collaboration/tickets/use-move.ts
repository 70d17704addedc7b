import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { endlessQuery } from '../../api/lists.ts'
import type { Ticket } from '../../api/resources.ts'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import {
  STATUSES,
  type Status,
  statusName,
  type TicketFilters,
  type Tickets,
  ticketParameters,
  withFirst,
  without,
} from './ticket-list.ts'

interface Move {
  readonly ticket: Ticket
  readonly to: Status
  readonly isUndo?: boolean
}

const MOVES = ['ticket-moves']

/** The query of a board column. */
export const columnQuery = (filters: TicketFilters, status: Status) =>
  endlessQuery<Ticket>('tickets', ticketParameters(filters, status))

/** Moves tickets between columns: shown immediately, reverted if the server rejects it, with undo in the toast. */
export function useMove(filters: TicketFilters): (ticket: Ticket, to: Status) => void {
  const queries = useQueryClient()
  const keyOf = (status: Status) => columnQuery(filters, status).queryKey
  const change = (status: Status, by: (column: Tickets) => Tickets) =>
    queries.setQueryData<Tickets>(keyOf(status), (column) => column && by(column))
  const { mutate, mutateAsync } = useMutation({
    mutationKey: MOVES,
    // One after another: the server would otherwise keep whichever of two quick moves arrives last.
    scope: { id: 'ticket-moves' },
    mutationFn: ({ ticket, to }: Move) => call('PATCH', `tickets/${ticket.id}`, { data: { status: to } }),
    onMutate: async ({ ticket, to }) => {
      await queries.cancelQueries({ queryKey: ['tickets'] })
      // From any column, because the ticket may have moved since.
      for (const { value } of STATUSES) change(value, (column) => without(column, ticket.id))
      change('', (column) => without(column, ticket.id))
      change(to, (column) => withFirst(column, { ...ticket, status: to }))
    },
    onError: (error, { ticket, to }) => {
      change(to, (column) => without(column, ticket.id))
      change(ticket.status, (column) => withFirst(column, ticket))
      showErrorToast(error)
    },
    onSuccess: (_, { ticket, to, isUndo }) => {
      if (isUndo) return
      const undo = () => mutateAsync({ ticket: { ...ticket, status: to }, to: ticket.status, isUndo: true })
      showToast(`“${ticket.name}” moved to ${statusName(to).toLowerCase()}`, undo)
    },
    // Reading again before the last move is stored would put its ticket back for a moment.
    onSettled: () => (queries.isMutating({ mutationKey: MOVES }) > 1 ? undefined : invalidate('tickets', 'workspaces')),
  })
  return (ticket, to) => {
    if (ticket.status !== to) mutate({ ticket, to })
  }
}
