import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { computed, ref, text } from '../../engine/field.ts'
import { routesBelow } from '../../engine/nested-routes.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import { type Context, defineResource, type Page } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { standard } from '../../engine/standard.ts'

/** Fields whose values are references, and what to. */
const TARGETS: Readonly<Record<string, 'users' | 'workspaces' | 'entities'>> = {
  assignee: 'users',
  stakeholders: 'users',
  workspaces: 'workspaces',
  entities: 'entities',
}

/** An assignee who is gone is nobody. */
const value = (column: 'before' | 'after'): string => `case when t.field = 'assignee'
  then (select to_jsonb(u.id) from users as u where u.id = (t.${column} #>> '{}')::integer) else t.${column} end`

/** A link that came or went is told to who sees what it leads to. */
function isTargetSeen(ctx: Context, t: string): RawBuilder<unknown> {
  const id = sql`coalesce(${sql.ref(`${t}.after`)}, ${sql.ref(`${t}.before`)}) #>> '{}'`
  return sql`case ${sql.ref(`${t}.field`)}
    when 'stakeholders' then exists (select from users as u where u.id = (${id})::integer)
    when 'workspaces' then exists (
      select from workspaces as place
      where place.id = (${id})::integer and ${visible(ctx, resourceOf(ctx, 'workspaces'), 'place')})
    when 'entities' then exists (
      select from entities as found
      where found.id = (${id})::uuid and ${visible(ctx, resourceOf(ctx, 'entities'), 'found')})
    else true end`
}

/** References are told as URLs, like everywhere else. */
function shown(ctx: Context, page: Page): Page {
  const show = (field: unknown, value: unknown) => {
    const to = TARGETS[String(field)]
    return to && value !== null && value !== undefined ? toUrl(ctx.baseUrl, to, value as Id) : value
  }
  const rows = page.rows.map((row) => ({
    ...row,
    ...('before' in row && { before: show(row.field, row.before) }),
    ...('after' in row && { after: show(row.field, row.after) }),
  }))
  return { ...page, rows }
}

const history = defineResource({
  collection: 'ticket_history',
  title: 'Ticket change',
  doc: 'What became of a ticket: a field that changed, or a link that came or went.',
  key: ['id'],
  permission: 'tickets',
  fields: {
    owner: ref('tickets').hidden(),
    field: text().readOnly().describe('The field of the ticket.'),
    before: computed('jsonb', z.unknown(), value('before')).describe('What it was; null for a link that came.'),
    after: computed('jsonb', z.unknown(), value('after')).describe('What it became; null for a link that went.'),
    created_at: stamps.created_at,
    created_by: stamps.created_by,
  },
  places: { owner: ref('tickets') },
  visible: (ctx, t) => sql`(exists (
    select from tickets as about
    where about.id = ${sql.ref(`${t}.owner`)} and ${visible(ctx, resourceOf(ctx, 'tickets'), 'about')})
    and ${isTargetSeen(ctx, t)})`,
  operations: {
    list: async (ctx, resource, plan) => {
      // How a value is shown depends on the field.
      const attributes = plan.attributes && [...plan.attributes, 'field']
      return shown(ctx, await standard.list(ctx, resource, { ...plan, attributes }))
    },
  },
})

/** What became of a ticket, the latest first. */
export const historyRoutes = routesBelow(
  { owners: 'tickets', segment: 'history', verbs: ['list'], sort: '-id' },
  history,
)
