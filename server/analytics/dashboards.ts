import { sql } from 'kysely'
import { z } from 'zod'
import { changedBy } from '../engine/changed-by.ts'
import type { Condition } from '../engine/definition.ts'
import { bool, json, name, refs, text } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { refuseUnstorable } from '../engine/storable.ts'

const isCollaborator: Condition = ({ caller }, t) => sql`exists (
  select from dashboard_collaborators as c where c.source = ${sql.ref(`${t}.id`)} and c.target = ${caller.id})`

/** Without this exception, a dashboard whose creator was deleted could never be changed. */
export const mayChangeDashboard: Condition = (ctx, t) => sql`(
  ${sql.ref(`${t}.created_by`)} is null
  or ${sql.ref(`${t}.created_by`)} = ${ctx.caller.id}
  or (not ${sql.ref(`${t}.is_protected`)} and ${isCollaborator(ctx, t)}))`

export const dashboards = defineResource({
  collection: 'dashboards',
  title: 'Dashboard',
  doc: 'A private or shared arrangement of widgets.',
  key: ['name'],
  permission: 'configurations',
  fields: {
    name: name(),
    description: text().default(''),
    collaborators: refs('users', 'dashboard_collaborators').describe(
      'Users who can change it, in addition to the creator.',
    ),
    groups: refs('groups', 'dashboard_groups').describe('Groups whose members can see it.'),
    widgets: refs('widgets', 'dashboard_widgets', { isSeenWithOwner: true }),
    is_pinned: bool().default(false),
    is_protected: bool().default(false).describe('Only the creator can change or delete it.'),
    is_shared_with_all: bool().default(false).describe('Visible to everyone who may read dashboards.'),
    ui_metadata: json(z.looseObject({}).check(refuseUnstorable)).default({}),
    ...stamps,
  },
  example: { name: 'Ransomware this week', is_shared_with_all: true, ui_metadata: { columns: 2 } },
  visible: (ctx, t) => sql`(
    ${sql.ref(`${t}.is_shared_with_all`)}
    or ${sql.ref(`${t}.created_by`)} = ${ctx.caller.id}
    or ${isCollaborator(ctx, t)}
    or exists (
      select from dashboard_groups as g join group_users as m on m.source = g.target
      where g.source = ${sql.ref(`${t}.id`)} and m.target = ${ctx.caller.id}))`,
  operations: changedBy(mayChangeDashboard, ({ name, is_protected }) =>
    is_protected
      ? `The dashboard '${name}' is protected. Only its creator can change or delete it.`
      : `Only the creator and collaborators can change or delete the dashboard '${name}'.`,
  ),
})
