import { sql } from 'kysely'
import { z } from 'zod'
import { computed, Field, found, searched, time } from '../../engine/field.ts'
import { type Context, defineResource } from '../../engine/resource.ts'
import { cameBefore } from '../../intelligence/observables/sight.ts'
import { isEventVisible, readObject } from './objects.ts'
import { getEvent, listEvents } from './read.ts'

/** Every event has a time; a list in its order needs no place for those without. */
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

/** An observable that the reader saw before is not new to them when another entity or source brings it again. */
const kind = (ctx: Context) => sql`case
  when t.resource = 'observables' and t.kind = 'create' and ${cameBefore(ctx, sql`t.object::integer`, sql`t.at`)} then 'update'
  else t.kind end`

export const historyEvents = defineResource({
  collection: 'history_events',
  title: 'History event',
  doc: 'What became of an object: who made, changed or deleted it, when, and in which fields.',
  key: ['id'],
  isView: true,
  fields: {
    at,
    user: found('users', 't."user"').describe('Who did it; null where the platform itself did.'),
    resource: computed('text', z.string(), 't.resource').describe('The collection of the object.'),
    kind: computed('text', z.enum(['create', 'update', 'delete']), kind),
    object: computed('text', z.url(), 't.object').describe('The object; the URL of a deleted one leads nowhere.'),
    changes: computed('jsonb', z.record(z.string(), change), 't.details').describe(
      'By field, before and after; of links, what was removed and added. Null where one may not see the values.',
    ),
  },
  places: {
    object: searched(
      'an id or URL',
      (text) => text,
      (ctx, values) => {
        const wanted = values.map((text) => readObject(ctx, text))
        const ids = wanted.map(({ id }) => id)
        const isOne = wanted.map(({ resource, id }) =>
          resource === undefined ? sql`t.object = ${id}` : sql`(t.resource = ${resource} and t.object = ${id})`,
        )
        // The writes are found by an index of all the ids in them; what else they wrote is left out.
        return sql`(t.ids && ${ids}::text[] and (${sql.join(isOne, sql` or `)}))`
      },
    ),
  },
  visible: isEventVisible,
  operations: { list: listEvents, get: getEvent },
})
