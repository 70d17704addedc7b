import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import type { Letter } from '../../../mail/letter.ts'
import { mailTask, queueMails } from '../../../mail/outbox.ts'
import { NO_MAIL } from '../../../mail/sender.ts'
import { links } from '../acting/links.ts'
import { once } from '../acting/once.ts'
import { pageOf } from '../acting/page-of.ts'
import { recipientsOf } from '../acting/recipients.ts'
import { outOfScope, readSubject, UNSEEN } from '../acting/subject.ts'
import { defineStep, type StepContext } from '../step.ts'

const parameters = z.object({
  users: links('users')
    .refine((list) => list.length > 0, 'needs at least one user')
    .describe('Who receives it.'),
  subject: string(1, 200).describe('The subject, with placeholders.'),
  text: string(1, 10_000).describe(
    'The text, with placeholders. Empty lines separate paragraphs; a link to the object follows.',
  ),
})

/** Sends a mail about the object to users who see it. */
export const mail = defineStep({
  kind: 'mail',
  title: 'Mail',
  description: 'Sends a mail with a link to the object to users who see it.',
  outcomes: {
    sent: 'A mail is sent to at least one user.',
    not_sent: 'None is sent: mail is not configured, or none of the users can receive it.',
    out_of_scope: 'The owner of the playbook does not see the object.',
  },
  collections: ['entities', 'observables', 'files'],
  parameters,
  templates: ['subject', 'text'],
  permissions: () => ['read users'],
  act: async (step, given) => {
    if (!(await readSubject(step))) return outOfScope(UNSEEN)
    return once(step, () => send(step, given))
  },
})

const MAX_SUBJECT_LENGTH = 500

async function send(step: StepContext, given: z.output<typeof parameters>) {
  const { ctx, subject, playbook } = step
  const task = await mailTask(ctx.db)
  if (task === undefined) return { outcome: 'not_sent', output: { users: 0 }, warnings: [NO_MAIL] }
  const { ids, warnings } = await recipientsOf(step, given.users)
  const text = await step.fill(given.text)
  const letter: Letter = {
    subject: (await step.fill(given.subject)).slice(0, MAX_SUBJECT_LENGTH).toWellFormed(),
    paragraphs: [
      ...text.split(/\n\s*\n/),
      ...(ctx.publicUrl === undefined ? [] : [{ url: `${ctx.publicUrl}${pageOf(subject)}` }]),
      `Sent by the playbook ‘${playbook.name}’.`,
    ],
  }
  await queueMails(
    ctx,
    task,
    ids.map((user) => ({ kind: 'news', user, content: { letter } })),
  )
  return {
    outcome: ids.length > 0 ? 'sent' : 'not_sent',
    output: { users: ids.length },
    ...(warnings.length > 0 && { warnings }),
  }
}
