import { sql } from 'kysely'
import { z } from 'zod'
import { changedBy } from '../../engine/changed-by.ts'
import { bool, json, name, oneOf, text } from '../../engine/field.ts'
import { type Condition, defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { refuseUnstorable } from '../../engine/storable.ts'

/** One whose owner is gone would otherwise stay as it is for ever. */
const mayChange: Condition = ({ caller }, t) => sql`(
  ${sql.ref(`${t}.created_by`)} is null or ${sql.ref(`${t}.created_by`)} = ${caller.id})`

const { list, get, create, update, remove } = changedBy(
  mayChange,
  ({ name }) => `Only its owner may change or delete the saved query '${name}'.`,
)

export const savedQueries = defineResource({
  collection: 'saved_queries',
  title: 'Saved query',
  doc: 'A search that somebody keeps under a name, for themselves or to share it. Names are their own for each owner.',
  key: ['name'],
  // Whoever may search may keep what they search for.
  permission: 'entities',
  fields: {
    name: name(),
    description: text().default(''),
    // Not checked: one that says nothing is kept for its filters, and half of one may be worth keeping too.
    query: text(0, 20_000).default('').describe('A Lucene query; empty finds everything.'),
    collection: oneOf(['entities', 'observables']).default('entities').describe('What is searched.'),
    settings: json(z.looseObject({}).check(refuseUnstorable))
      .default({})
      .describe('How it is shown: filters, columns and sort, as whoever shows it wants them.'),
    is_shared: bool().default(false).describe('Seen by everybody who may read entities.'),
    ...stamps,
  },
  example: { name: 'Ransomware this week', query: 'tags:ransomware AND created_at:>now-7d', is_shared: true },
  visible: ({ caller }, t) => sql`(
    ${sql.ref(`${t}.is_shared`)} or ${sql.ref(`${t}.created_by`)} = ${caller.id})`,
  // Two people may call theirs the same: a name does not say which one a PUT would be about.
  operations: { list, get, create, update, remove },
  adapted: (route) => ({ ...route, permission: 'read entities' }),
})
