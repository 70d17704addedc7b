import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { computed, found, searched, time } from '../../engine/field.ts'
import { Field } from '../../engine/field-class.ts'
import { defineResource } from '../../engine/resource.ts'
import { wasVisibleBefore } from '../../intelligence/observables/sight.ts'
import { isEventVisible, readObject } from './objects.ts'
import { getEvent, listEvents } from './read.ts'

/** Every event has a time, so sorting by it needs no place for null. */
const at = new Field({
  ...computed('timestamptz', time, 't.at').props,
  output: z.iso.datetime({ offset: true }),
  isNullable: false,
  stamp: 'created-at',
})

const change = z
  .object({
    before: z.unknown().optional(),
    after: z.unknown().optional(),
    removed: z.array(z.url()).optional(),
    added: z.array(z.url()).optional(),
  })
  .nullable()

/** An observable that the caller saw before is not new when another entity or source adds it again. */
const kind = (ctx: Context) => sql`case
  when t.resource = 'observables' and t.kind = 'create' and ${wasVisibleBefore(ctx, sql`t.object::integer`, sql`t.at`)} then 'update'
  else t.kind end`

/** Automations, and the permission to read what their ids name. */
const AUTOMATIONS = {
  'attack-upgrade': 'attack',
  consolidation: 'rules',
  detonator: 'detonators',
  enricher: 'enrichers',
  playbook: 'playbooks',
  rule: 'rules',
  'rule-undo': 'rules',
} as const

const cause = ({ caller }: Context) => {
  const readable = Object.entries(AUTOMATIONS).flatMap(([kind, named]) =>
    caller.permissions.has(`read ${named}`) ? [kind] : [],
  )
  return sql`(
    select jsonb_build_object('kind', c.cause_kind, 'id', case when c.cause_kind = any(${readable}::text[]) then nullif(c.cause_id, '') end)
    from changes as c where c.id = t.change and c.cause_kind is not null)`
}

export const historyEvents = defineResource({
  collection: 'history_events',
  title: 'History event',
  doc: 'A change of an object: who created, changed or deleted it, when, and in which fields.',
  key: ['id'],
  table: { view: 'history_events' },
  fields: {
    at,
    user: found('users', 't."user"').describe('Who changed it; null for the platform itself.'),
    cause: computed('jsonb', z.object({ kind: z.string(), id: z.string().nullable() }).nullable(), cause).describe(
      'The automation that made the change; null if a user or a feed did. The id is that of a load of an attack framework, a detonator, an enricher, a playbook, a rule or a policy; several are separated by commas.',
    ),
    resource: computed('text', z.string(), 't.resource').describe('The collection of the object.'),
    kind: computed('text', z.enum(['create', 'update', 'delete']), kind),
    object: computed('text', z.url(), 't.object').describe('The object; the URL of a deleted one is a 404.'),
    changes: computed('jsonb', z.record(z.string(), change), 't.details').describe(
      'By field, the values before and after, or the links removed and added. Null for values that you may not see.',
    ),
  },
  visible: isEventVisible,
  search: {
    filters: {
      object: searched(
        'an id or URL',
        (text) => text,
        (ctx, values) => {
          const wanted = values.map((text) => readObject(ctx, text))
          const ids = wanted.map(({ id }) => id)
          const isOne = wanted.map(({ resource, id }) =>
            resource === undefined ? sql`t.object = ${id}` : sql`(t.resource = ${resource} and t.object = ${id})`,
          )
          // An index finds writes by any of their ids; the second condition excludes their other objects.
          return sql`(t.ids && ${ids}::text[] and (${sql.join(isOne, sql` or `)}))`
        },
      ),
    },
  },
  operations: { list: listEvents, get: getEvent },
})
