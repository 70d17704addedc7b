import { sql } from 'kysely'
import { conflict } from '../engine/errors.ts'
import { bool, name, oneOf, refs, text } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { standard } from '../engine/standard.ts'
import { stamps } from './stamps.ts'

/** Clients count on it. */
const DEFAULT = 1

export const workspaces = defineResource({
  collection: 'workspaces',
  title: 'Workspace',
  doc: 'A shared place of work. Workspace 1 is the public default.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    type: oneOf(['generic', 'case', 'threat-model', 'analysis']).default('generic'),
    status: oneOf(['open', 'closed']).default('open'),
    is_public: bool().default(false).describe('Seen by everybody who may read workspaces.'),
    collaborators: refs('users', 'workspace_collaborators').guardedBy('modify collaborators'),
    groups: refs('groups', 'workspace_groups'),
    tickets: refs('tickets', 'ticket_workspaces', { inverse: true }),
    ...stamps,
  },
  relations: ['collaborators', 'groups', 'tickets'],
  example: { name: 'Phishing in finance', type: 'case', is_public: true },
  operations: {
    ...standard,
    remove: (ctx, resource, ids) => {
      if (ids.includes(DEFAULT)) throw conflict('The default workspace cannot be deleted.')
      return standard.remove(ctx, resource, ids)
    },
  },
  visible: ({ caller }, t) => {
    const id = sql.ref(`${t}.id`)
    return sql`(
      ${sql.ref(`${t}.is_public`)}
      or ${sql.ref(`${t}.created_by`)} = ${caller.id}
      or exists (select from workspace_collaborators as c where c.source = ${id} and c.target = ${caller.id})
      or exists (
        select from workspace_groups as g join group_users as m on m.source = g.target
        where g.source = ${id} and m.target = ${caller.id}))`
  },
})
