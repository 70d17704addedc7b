import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'
import type { Route } from '../engine/route.ts'
import { touch } from '../engine/write.ts'
import { users } from './users.ts'

const choices = z.object({
  ticket_assigned: z.boolean().describe('A ticket was assigned to you.'),
  comment_added: z.boolean().describe('A comment was added to a ticket or workspace that you participate in.'),
  task_run_failed: z.boolean().describe('A task run that you started has failed.'),
  feed_stale: z.boolean().describe('A feed that you can modify stopped working, or recovered.'),
  enricher_suspended: z.boolean().describe('An enricher that you can modify was suspended.'),
  detonator_suspended: z.boolean().describe('A detonator that you can modify was suspended.'),
  detonation_ended: z.boolean().describe('A detonation that you asked for has ended.'),
  entity_discovered: z
    .boolean()
    .describe('A discovery rule that you saved, or of a workspace that you are a member of, found entities.'),
  playbook_failed: z.boolean().describe('A run of a playbook that you saved last has failed.'),
  playbook_paused: z.boolean().describe('A playbook that you saved last was paused, because it failed repeatedly.'),
  playbook_notified: z.boolean().describe('A playbook notifies you.'),
})

type Choices = z.output<typeof choices>

const names = Object.keys(choices.shape) as (keyof Choices)[]
const columns = sql.join(names.map((name) => sql.ref(name)))

const ALL = Object.fromEntries(names.map((name) => [name, true])) as Choices

const about = { tag: 'users', permission: null, path: '/users/self/notifications', result: choices }

const get = defineAction({
  ...about,
  name: 'get_own_notifications',
  doc: "Get the caller's mail notification preferences",
  method: 'GET',
  run: readChoices,
})

const update = defineAction({
  ...about,
  name: 'update_own_notifications',
  doc: "Change the caller's mail notification preferences",
  method: 'PATCH',
  changesCallers: true,
  body: choices.partial(),
  example: { comment_added: false },
  run: async (ctx, patch) => {
    // Concurrent changes must not overwrite each other.
    await touch(ctx, users, ctx.caller.id)
    const chosen = { ...(await readChoices(ctx)), ...patch }
    await sql`
      insert into notification_choices ("user", ${columns})
      values (${ctx.caller.id}, ${sql.join(names.map((name) => sql`${chosen[name]}::boolean`))})
      on conflict ("user") do update
      set ${sql.join(names.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))}`.execute(ctx.db)
    return chosen
  },
})

async function readChoices({ db, caller }: Context): Promise<Choices> {
  const { rows } = await sql<Choices>`
    select ${columns}
    from notification_choices where "user" = ${caller.id}`.execute(db)
  return rows[0] ?? ALL
}

/** The caller's mail notification preferences. */
export const notificationRoutes: readonly Route[] = [get, update]
