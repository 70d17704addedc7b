import { sql } from 'kysely'
import { conflict } from '../engine/errors.ts'
import { bool, name, oneOf, refs, text } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { isAmong } from '../engine/select.ts'
import { stamps } from '../engine/stamps.ts'
import { standard } from '../engine/standard.ts'
import { keepDatasets } from '../intelligence/datasets/keep-datasets.ts'
import { commentRoutes } from './comments.ts'
import { withTicketHistory } from './ticket-history/ticket-operations.ts'

/** API clients rely on this id. */
const DEFAULT = 1

export const workspaces = defineResource({
  collection: 'workspaces',
  title: 'Workspace',
  doc: 'A shared workspace. Workspace 1 is the public default.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    type: oneOf(['generic', 'case', 'threat-model', 'analysis']).default('generic'),
    status: oneOf(['open', 'closed']).default('open'),
    is_public: bool().default(false).describe('Visible to everyone who may read workspaces.'),
    collaborators: refs('users', 'workspace_collaborators').linkable().guardedBy('modify collaborators'),
    groups: refs('groups', 'workspace_groups').linkable(),
    tickets: refs('tickets', 'ticket_workspaces', { inverse: true }).linkable(),
    datasets: refs('datasets', 'dataset_workspaces', { inverse: true }).linkable().guardedBy('modify intel-sets'),
    entities: refs('entities', 'workspace_entities').linkable(),
    discovery_tasks: refs('discovery_rules', 'discovery_rule_workspaces', { inverse: true })
      .linkable()
      .guardedBy('modify discovery-rules')
      .describe('Discovery rules.'),
    files: refs('files', 'file_workspaces', { inverse: true }).linkable().guardedBy('modify files'),
    ...stamps,
  },
  routes: (standard) => [...commentRoutes('workspaces'), ...standard],
  example: { name: 'Phishing in finance', type: 'case', is_public: true },
  operations: withTicketHistory({
    ...standard,
    remove: (ctx, resource, ids) => {
      if (ids.includes(DEFAULT)) throw conflict('The default workspace cannot be deleted.')
      return keepDatasets(ctx, isAmong('workspaces', ids), () => standard.remove(ctx, resource, ids))
    },
    upsert: (ctx, resource, items) => {
      const names = items.flatMap(({ name, datasets }) => (datasets ? [name] : []))
      const write = () => standard.upsert(ctx, resource, items)
      return names.length > 0 ? keepDatasets(ctx, sql`t.name = any(${names}::text[])`, write) : write()
    },
    update: (ctx, resource, id, patch) => {
      const write = () => standard.update(ctx, resource, id, patch)
      return patch.datasets === undefined ? write() : keepDatasets(ctx, isAmong('workspaces', [id]), write)
    },
    unlink: (ctx, resource, id, field, target) => {
      const write = () => standard.unlink(ctx, resource, id, field, target)
      return field === 'datasets' ? keepDatasets(ctx, isAmong('workspaces', [id]), write) : write()
    },
  }),
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
