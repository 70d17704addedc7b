import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import type { Page } from '../../engine/definition.ts'
import { computed, ref, text } from '../../engine/field.ts'
import { routesBelow } from '../../engine/nested-routes.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import { defineResource } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { standard } from '../../engine/standard.ts'

/** Reference fields and the collections they refer to. */
const TARGETS: Readonly<Record<string, 'users' | 'workspaces' | 'entities'>> = {
  assignee: 'users',
  stakeholders: 'users',
  workspaces: 'workspaces',
  entities: 'entities',
}

/** A deleted assignee is shown as null. */
const value = (column: 'before' | 'after'): string => `case when t.field = 'assignee'
  then (select to_jsonb(u.id) from users as u where u.id = (t.${column} #>> '{}')::integer) else t.${column} end`

/** An added or removed link is shown only to callers who can see its target. */
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

/** Presents references as URLs. */
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
  doc: 'A change to a ticket: a changed field, or an added or removed link.',
  key: ['id'],
  permission: 'tickets',
  fields: {
    owner: ref('tickets').hidden(),
    field: text().readOnly().describe('The changed field of the ticket.'),
    before: computed('jsonb', z.unknown(), value('before')).describe('The old value; null for an added link.'),
    after: computed('jsonb', z.unknown(), value('after')).describe('The new value; null for a removed link.'),
    created_at: stamps.created_at,
    created_by: stamps.created_by,
  },
  search: { filters: { owner: ref('tickets') } },
  visible: (ctx, t) => sql`(exists (
    select from tickets as about
    where about.id = ${sql.ref(`${t}.owner`)} and ${visible(ctx, resourceOf(ctx, 'tickets'), 'about')})
    and ${isTargetSeen(ctx, t)})`,
  operations: {
    list: async (ctx, resource, plan) => {
      // The presentation of a value depends on its field.
      const attributes = plan.attributes && [...plan.attributes, 'field']
      return shown(ctx, await standard.list(ctx, resource, { ...plan, attributes }))
    },
  },
})

/** The changes to a ticket, newest first. */
export const historyRoutes = routesBelow(
  { owners: 'tickets', segment: 'history', verbs: ['list'], sort: '-id' },
  history,
)
