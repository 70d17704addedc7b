import { name, oneOf, ref, refs, text, timestamp } from '../engine/field.ts'
import { ordered } from '../engine/ordered.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { commentRoutes } from './comments.ts'
import { isTicketSeen } from './seen-tickets.ts'
import { historyRoutes } from './ticket-history/history.ts'
import { ticketOperations } from './ticket-history/ticket-operations.ts'

/** From the lowest to the highest. */
export const PRIORITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const

export const tickets = defineResource({
  collection: 'tickets',
  title: 'Ticket',
  doc: 'A task to follow up on, organised in workspaces.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    status: oneOf(['OPEN', 'IN_PROGRESS', 'PENDING', 'CLOSED', '']).default('OPEN'),
    priority: ordered(PRIORITIES, oneOf(PRIORITIES).nullable()),
    due_at: timestamp().nullable(),
    assignee: ref('users').nullable(),
    stakeholders: refs('users', 'ticket_stakeholders').linkable(),
    workspaces: refs('workspaces', 'ticket_workspaces').linkable(),
    entities: refs('entities', 'ticket_entities').linkable(),
    ...stamps,
  },
  routes: (standard) => [...commentRoutes('tickets'), ...historyRoutes, ...standard],
  visible: isTicketSeen,
  operations: ticketOperations,
  example: { name: 'Block the new command servers', status: 'OPEN', due_at: '2026-01-31T12:00:00Z', workspaces: [1] },
})
