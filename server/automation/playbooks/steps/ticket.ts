import { z } from 'zod'
import { PRIORITIES } from '../../../collaboration/tickets.ts'
import { string } from '../../../engine/field.ts'
import { link } from '../../../engine/link.ts'
import { explained } from '../acting/explained.ts'
import { links } from '../acting/links.ts'
import { once } from '../acting/once.ts'
import { outOfScope, readSubject, UNSEEN } from '../acting/subject.ts'
import { findPeople, openTicket, openTicketOf, updateTicket } from '../acting/tickets.ts'
import { defineStep, type StepContext } from '../step.ts'

const parameters = z.object({
  title: string(1, 500).describe(
    'The name of the ticket, with placeholders. A number is added if another ticket has it.',
  ),
  description: string(0, 20_000).default('').describe('Its description, with placeholders.'),
  priority: z.enum(PRIORITIES).nullable().default(null),
  assignee: link('users').nullable().default(null).describe('Who is to work on it.'),
  stakeholders: links('users').describe('Who is kept informed.'),
  workspaces: links('workspaces').describe(
    'Where it belongs. Without a workspace, everyone who may read tickets sees it.',
  ),
  due_in_days: z.int().min(0).max(3650).nullable().default(null).describe('Days until it is due.'),
})

export type TicketParameters = z.output<typeof parameters>

/** Opens a ticket about the object, or updates the one that the playbook opened for it and that is still open. */
export const ticket = defineStep({
  kind: 'ticket',
  title: 'Open or update a ticket',
  description:
    'Opens a ticket about the object. While a ticket that the playbook opened for the object is not closed, that one gets a higher priority, stakeholders and workspaces instead.',
  outcomes: {
    opened: 'A new ticket was opened.',
    updated: 'The ticket that the playbook opened earlier is still open, and was updated.',
    out_of_scope: 'The owner of the playbook sees neither the object nor, if some are named, one of the workspaces.',
  },
  collections: ['entities', 'observables', 'files'],
  parameters,
  templates: ['title', 'description'],
  permissions: () => ['read tickets', 'modify tickets'],
  act: async (step, given) => {
    if (!(await readSubject(step))) return outOfScope(UNSEEN)
    return once(step, () => explained(() => openOrUpdate(step, given)))
  },
})

async function openOrUpdate(step: StepContext, given: TicketParameters) {
  const people = await findPeople(step.ctx, given)
  // In no workspace, everyone would see a ticket that was meant for some.
  if (given.workspaces.length > 0 && people.workspaces.length === 0)
    return outOfScope('The owner of the playbook sees none of the workspaces.', people.warnings)
  const known = await openTicketOf(step)
  const id = known ?? (await openTicket(step, given, people))
  if (known !== undefined) await updateTicket(step, known, given, people)
  return {
    outcome: known === undefined ? 'opened' : 'updated',
    output: { ticket: id },
    ...(people.warnings.length > 0 && { warnings: people.warnings }),
  }
}
