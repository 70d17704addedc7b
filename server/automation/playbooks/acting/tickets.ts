import { sql } from 'kysely'
import { PRIORITIES } from '../../../collaboration/tickets.ts'
import type { Context, Item } from '../../../engine/context.ts'
import type { Id, Link } from '../../../engine/reference.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import type { StepContext } from '../step.ts'
import { findLinked, leftOut } from './find-linked.ts'

/** What a step wants of a ticket. */
interface Wanted {
  readonly title: string
  readonly description: string
  readonly priority: (typeof PRIORITIES)[number] | null
  readonly assignee: Link | null
  readonly stakeholders: readonly Link[]
  readonly workspaces: readonly Link[]
  readonly due_in_days: number | null
}

/** The users and workspaces of a ticket that the owner of the playbook sees. */
interface People {
  readonly assignee: Id | null
  readonly stakeholders: readonly Id[]
  readonly workspaces: readonly Id[]
  readonly warnings: readonly string[]
}

/** Finds the users and workspaces that a step names. */
export async function findPeople(
  ctx: Context,
  { assignee, stakeholders, workspaces }: Pick<Wanted, 'assignee' | 'stakeholders' | 'workspaces'>,
): Promise<People> {
  const users = await findLinked(ctx, 'users', [...stakeholders, ...(assignee === null ? [] : [assignee])])
  const places = await findLinked(ctx, 'workspaces', workspaces)
  const seen = new Set(users.ids)
  return {
    assignee: assignee !== null && seen.has(assignee.id) ? assignee.id : null,
    stakeholders: stakeholders.map(({ id }) => id).filter((id) => seen.has(id)),
    workspaces: places.ids,
    warnings: [...leftOut('user', users), ...leftOut('workspace', places)],
  }
}

/** The ticket that the playbook opened for the object, if it is still open and the owner of the playbook sees it. */
export async function openTicketOf(step: StepContext): Promise<number | undefined> {
  const { ctx, playbook } = step
  // Two runs on one object must not open two tickets.
  await sql`
    select pg_advisory_xact_lock(hashtext('playbook_tickets'), hashtext(${`${playbook.id} ${objectOf(step)}`}))`.execute(
    ctx.db,
  )
  const { rows } = await sql<{ id: number }>`
    select t.id
    from playbook_tickets as p join tickets as t on t.id = p.ticket
    where p.playbook = ${playbook.id} and p.object = ${objectOf(step)} and t.status <> 'CLOSED'
      and ${visible(ctx, resourceOf(ctx, 'tickets'))}
    order by t.id desc
    limit 1`.execute(ctx.db)
  return rows[0]?.id
}

const objectOf = ({ subject }: StepContext): string => `${subject.collection}/${subject.id}`

/** Opens a ticket, and remembers that the playbook did. */
export async function openTicket(step: StepContext, wanted: Wanted, people: People): Promise<number> {
  const { ctx, subject, playbook } = step
  const resource = resourceOf(ctx, 'tickets')
  const item: Item = {
    name: await freeName(ctx, await step.fill(wanted.title)),
    description: await step.fill(wanted.description),
    priority: wanted.priority,
    due_at: dueIn(wanted.due_in_days),
    assignee: people.assignee,
    stakeholders: people.stakeholders.map(linkTo),
    workspaces: people.workspaces.map(linkTo),
    ...(subject.collection === 'entities' && { entities: [linkTo(subject.id)] }),
  }
  const made = await resource.operations.create?.(ctx, resource, item)
  const id = Number((Array.isArray(made) ? made[0] : made)?.id)
  // A playbook that is tried before it is saved has no id.
  if (step.isDryRun) return id
  await sql`
    insert into playbook_tickets (ticket, playbook, object)
    values (${id}, ${playbook.id}, ${objectOf(step)})`.execute(ctx.db)
  return id
}

const linkTo = (id: Id): Link => ({ id })

const DAY_MS = 24 * 3600 * 1000

const dueIn = (days: number | null): string | null =>
  days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString()

const MAX_NAME_LENGTH = 500
const MAX_TWINS = 10_000

/** The name, with the first number that no other ticket has. Names of tickets that the owner does not see count as well. */
async function freeName({ db }: Context, filled: string): Promise<string> {
  const name =
    filled
      .trim()
      .slice(0, MAX_NAME_LENGTH - 10)
      .toWellFormed() || 'Ticket'
  const { rows } = await sql<{ name: string }>`
    select name
    from (
      select n, case when n = 1 then ${name} else ${name} || ' (' || n || ')' end as name
      from generate_series(1, ${MAX_TWINS}::integer) as n
    ) as candidates
    where not exists (select from tickets as t where t.name = candidates.name)
    order by n
    limit 1`.execute(db)
  return rows[0]?.name ?? name
}

const ORDER: readonly unknown[] = PRIORITIES

/** Raises the priority of a ticket, and adds stakeholders and workspaces. What people wrote stays. */
export async function updateTicket(
  { ctx, subject }: StepContext,
  id: number,
  wanted: Wanted,
  people: People,
): Promise<void> {
  const resource = resourceOf(ctx, 'tickets')
  const { link, update, get } = resource.operations
  const current = await get?.(ctx, resource, id)
  const rank = (priority: unknown) => ORDER.indexOf(priority)
  if (rank(wanted.priority) > rank(current?.priority)) await update?.(ctx, resource, id, { priority: wanted.priority })
  const added = {
    stakeholders: people.stakeholders,
    workspaces: people.workspaces,
    entities: subject.collection === 'entities' ? [subject.id] : [],
  }
  for (const [field, ids] of Object.entries(added)) {
    const known = new Set(idsIn(current?.[field]))
    const fresh = ids.filter((each) => !known.has(each))
    if (fresh.length > 0) await link?.(ctx, resource, id, field, fresh.map(linkTo))
  }
}

const idsIn = (value: unknown): readonly Id[] => (Array.isArray(value) ? (value as readonly Id[]) : [])
