import { type RawBuilder, sql } from 'kysely'
import type { Change } from '../background/followers/change-log.ts'
import type { Context } from '../engine/context.ts'
import type { Id } from '../engine/reference.ts'
import { type Happening, tellOf } from './hearers.ts'
import { quoted } from './quoted.ts'

/** The collections whose changes lead to notifications. */
export const NEWSWORTHY = ['tickets', 'ticket_comments', 'workspace_comments'] as const

/** Notifies users of tickets assigned to them, and of comments on objects that they take part in. */
export async function tellOfChanges(ctx: Context, changes: readonly Change[]): Promise<void> {
  const written = (collection: (typeof NEWSWORTHY)[number], kinds: readonly Change['kind'][]) =>
    changes.filter(({ resource, kind }) => resource === collection && kinds.includes(kind))
  const assigned = written('tickets', ['create', 'update'])
  const [onTickets, onWorkspaces] = [written('ticket_comments', ['create']), written('workspace_comments', ['create'])]
  await tellOf(ctx, [
    ...(assigned.length > 0 ? [assignments(assigned)] : []),
    ...(onTickets.length > 0 ? [comments('tickets', onTickets)] : []),
    ...(onWorkspaces.length > 0 ? [comments('workspaces', onWorkspaces)] : []),
  ])
}

/** The objects of changes as rows `m` of `write`, `id` and `actor`. */
function mentions(changes: readonly Change[]): RawBuilder<unknown> {
  const all = changes.flatMap(({ id: write, user_id: actor, ids }) => ids.map((id) => ({ write, id, actor })))
  return sql`unnest(
    ${all.map(({ write }) => write)}::bigint[],
    ${all.map(({ id }) => id)}::text[],
    ${all.map(({ actor }) => actor)}::integer[]) as m(write, id, actor)`
}

/** Assignments as logged: the ticket may have been assigned to another user since. */
const assignments = (changes: readonly Change[]): Happening => ({
  choice: 'ticket_assigned',
  collection: 'tickets',
  permissions: ['read tickets'],
  concerned: sql`
    select m.id::integer as about, (d.value -> 'assignee' ->> 1)::integer as "user", m.actor, m.write
    from changes as w
    cross join lateral jsonb_each(w.details) as d
    join ${mentions(changes)} on m.write = w.id and m.id = d.key
    where w.id = any(${changes.map(({ id }) => id)}::bigint[])`,
  name: sql`o.name`,
  tell: ({ id, name, actor }) => ({
    text: `${actor ?? 'A user'} assigned the ticket ${quoted(name)} to you.`,
    path: `/tickets/${id}`,
  }),
})

/** The participants of the owner `c.owner` of a comment. */
const PARTICIPANTS = {
  tickets: sql`
    select assignee as "user" from tickets where id = c.owner
    union
    select target from ticket_stakeholders where source = c.owner`,
  workspaces: sql`select target as "user" from workspace_collaborators where source = c.owner`,
}

function comments(owners: 'tickets' | 'workspaces', changes: readonly Change[]): Happening {
  const one = owners.slice(0, -1)
  return {
    choice: 'comment_added',
    collection: owners,
    permissions: [`read ${owners}`, `read ${one}-comments`],
    concerned: sql`
      select c.owner as about, p."user", m.actor, m.write
      from ${mentions(changes)}
      join ${sql.table(`${one}_comments`)} as c on c.id = m.id::integer
      cross join lateral (${PARTICIPANTS[owners]}) as p`,
    name: sql`o.name`,
    tell: ({ id, name, actor }) => ({
      text: `${actor ?? 'A user'} commented on the ${one} ${quoted(name)}.`,
      path: `/${owners}/${id}`,
    }),
  }
}

/** Notifies users that runs they started have failed. */
export async function tellStarters(ctx: Context, runs: readonly Id[]): Promise<void> {
  await tellOf(ctx, [
    {
      choice: 'task_run_failed',
      collection: 'task_runs',
      permissions: ['read tasks'],
      concerned: sql`
        select id as about, created_by as "user", null::integer as actor, 0 as write
        from task_runs where id = any(${runs}::uuid[])`,
      name: sql`(select t.name from tasks as t where t.id = o.task)`,
      tell: ({ id, name }) => ({
        text: `A run of the task ${quoted(name)} that you started has failed.`,
        path: `/tasks/runs/${id}`,
      }),
    },
  ])
}
