import { z } from 'zod'
import { addComment, toComment } from '../../../collaboration/comments.ts'
import { string } from '../../../engine/field.ts'
import { link } from '../../../engine/link.ts'
import type { Id } from '../../../engine/reference.ts'
import { explained } from '../acting/explained.ts'
import { findLinked } from '../acting/find-linked.ts'
import { once } from '../acting/once.ts'
import { outOfScope, readSubject, UNSEEN } from '../acting/subject.ts'
import { defineStep, type StepContext } from '../step.ts'

const parameters = z.object({
  text: string(1, 20_000).describe('The comment, with placeholders.'),
  workspace: link('workspaces')
    .nullable()
    .default(null)
    .describe('Where to comment. Without it, on the ticket that an earlier step opened or updated.'),
})

/** Comments on the ticket of the run, or on a workspace. */
export const comment = defineStep({
  kind: 'comment',
  title: 'Comment',
  description: 'Comments on the ticket that an earlier step of the run opened or updated, or on a workspace.',
  outcomes: {
    commented: 'The comment was added.',
    not_found: 'No earlier step of the run opened or updated a ticket.',
    out_of_scope: 'The owner of the playbook does not see the object, the ticket or the workspace.',
  },
  collections: ['entities', 'observables', 'files'],
  parameters,
  templates: ['text'],
  permissions: ({ workspace }) =>
    workspace === null ? ['read tickets', toComment('tickets')] : ['read workspaces', toComment('workspaces')],
  act: async (step, given) => {
    if (!(await readSubject(step))) return outOfScope(UNSEEN)
    return once(step, () => explained(() => write(step, given)))
  },
})

async function write(step: StepContext, { text, workspace }: z.output<typeof parameters>) {
  const owners = workspace === null ? 'tickets' : 'workspaces'
  const owner = workspace === null ? ticketOf(step) : workspace.id
  if (owner === undefined) return { outcome: 'not_found', output: {} }
  const { ids } = await findLinked(step.ctx, owners, [{ id: owner }])
  if (ids.length === 0) return outOfScope(`The owner of the playbook does not see the ${owners.slice(0, -1)}.`)
  const id = await addComment(step.ctx, owners, owner, await step.fill(text))
  return { outcome: 'commented', output: { comment: id, [owners.slice(0, -1)]: owner } }
}

/** The ticket of the latest step that has one. */
const ticketOf = ({ results }: StepContext): Id | undefined =>
  [...results.values()].flatMap(({ output }) => (typeof output.ticket === 'number' ? output.ticket : [])).at(-1)
