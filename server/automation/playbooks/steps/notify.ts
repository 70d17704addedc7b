import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../engine/context.ts'
import { string } from '../../../engine/field.ts'
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
    .describe('Who is notified.'),
  text: string(1, 500).describe('One sentence, with placeholders.'),
})

/** Notifies users, unless they chose not to hear of playbooks. */
export const notify = defineStep({
  kind: 'notify',
  title: 'Notify',
  description:
    'Sends a notification with a link to the object to users who see it. Several notifications for a user become one mail, and users can turn them off in their profile.',
  outcomes: {
    sent: 'At least one user is notified.',
    not_sent: 'No user is notified: mail is not configured, or none of the users can be notified.',
    out_of_scope: 'The owner of the playbook does not see the object.',
  },
  collections: ['entities', 'observables', 'files'],
  parameters,
  templates: ['text'],
  permissions: () => ['read users'],
  act: async (step, given) => {
    if (!(await readSubject(step))) return outOfScope(UNSEEN)
    return once(step, () => send(step, given))
  },
})

async function send(step: StepContext, { users, text }: z.output<typeof parameters>) {
  const { ctx, subject } = step
  const task = await mailTask(ctx.db)
  if (task === undefined) return { outcome: 'not_sent', output: { users: 0 }, warnings: [NO_MAIL] }
  const { ids, warnings } = await recipientsOf(step, users)
  const willing = await willingOf(ctx, ids)
  const news = [
    { text: await step.fill(text), url: ctx.publicUrl === undefined ? null : `${ctx.publicUrl}${pageOf(subject)}` },
  ]
  await queueMails(
    ctx,
    task,
    willing.map((user) => ({ kind: 'news', user, content: { news, total: 1 } })),
  )
  const silent = ids.length - willing.length
  const all = [
    ...warnings,
    ...(silent > 0 ? [`Users left out because they chose not to be notified by playbooks: ${silent}.`] : []),
  ]
  return {
    outcome: willing.length > 0 ? 'sent' : 'not_sent',
    output: { users: willing.length },
    ...(all.length > 0 && { warnings: all }),
  }
}

async function willingOf({ db }: Context, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select i.id
    from unnest(${ids}::integer[]) as i(id) left join notification_choices as chosen on chosen."user" = i.id
    where coalesce(chosen.playbook_notified, true)
    order by i.id`.execute(db)
  return rows.map(({ id }) => id)
}
