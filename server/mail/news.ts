import { sql } from 'kysely'
import type { Id } from '../engine/reference.ts'
import type { Context } from '../engine/resource.ts'
import { tellOf } from './hearers.ts'

const quoted = (name: string): string => `‘${name.length > 200 ? `${name.slice(0, 200)}…` : name}’`

/** Tells people of the tickets among these that this transaction has assigned to them. */
export async function tellAssignees(ctx: Context, tickets: readonly Id[]): Promise<void> {
  if (tickets.length === 0) return
  await tellOf(ctx, {
    choice: 'ticket_assigned',
    collection: 'tickets',
    permissions: ['read tickets'],
    concerned: sql`
      select t.id as about, t.assignee as "user" from tickets as t
      where t.id = any(${tickets}::integer[]) and t.${IS_NEW} and (
        t.created_at = now()
        or exists (select from ticket_history as h where h.owner = t.id and h.field = 'assignee' and h.${IS_NEW}))`,
    name: sql`o.name`,
    tell: ({ id, name, actor }) => ({
      text: `${actor ?? 'Somebody'} assigned the ticket ${quoted(name)} to you.`,
      path: `/tickets/${id}`,
    }),
  })
}

/** Rows that this transaction has written carry its number. */
const IS_NEW = sql`xmin = pg_current_xact_id()::xid`

const PARTICIPANTS = {
  tickets: (id: Id) => sql`
    select id as about, assignee as "user" from tickets where id = ${id}
    union
    select source, target from ticket_stakeholders where source = ${id}`,
  workspaces: (id: Id) => sql`
    select source as about, target as "user" from workspace_collaborators where source = ${id}`,
}

/** Tells those who take part in a ticket or a workspace that somebody commented on it. */
export async function tellParticipants(ctx: Context, owners: 'tickets' | 'workspaces', id: Id): Promise<void> {
  const one = owners.slice(0, -1)
  await tellOf(ctx, {
    choice: 'comment_added',
    collection: owners,
    permissions: [`read ${owners}`, `read ${one}-comments`],
    concerned: PARTICIPANTS[owners](id),
    name: sql`o.name`,
    tell: ({ name, actor }) => ({
      text: `${actor ?? 'Somebody'} commented on the ${one} ${quoted(name)}.`,
      path: `/${owners}/${id}`,
    }),
  })
}

/** Tells people that runs which they started have failed. */
export async function tellStarters(ctx: Context, runs: readonly Id[]): Promise<void> {
  await tellOf(ctx, {
    choice: 'task_run_failed',
    collection: 'task_runs',
    permissions: ['read tasks'],
    concerned: sql`select id as about, created_by as "user" from task_runs where id = any(${runs}::uuid[])`,
    name: sql`(select t.name from tasks as t where t.id = o.task)`,
    tell: ({ id, name }) => ({
      text: `A run of the task ${quoted(name)} that you started has failed.`,
      path: `/tasks/runs/${id}`,
    }),
  })
}
