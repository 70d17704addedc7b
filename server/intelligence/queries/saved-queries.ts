import { sql } from 'kysely'
import { z } from 'zod'
import { changedBy } from '../../engine/changed-by.ts'
import type { Condition } from '../../engine/definition.ts'
import { bool, json, name, oneOf, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { refuseUnstorable } from '../../engine/storable.ts'

/** Allows the owner, or everyone if the owner was deleted, because the query could never be changed otherwise. */
const mayChange: Condition = ({ caller }, t) => sql`(
  ${sql.ref(`${t}.created_by`)} is null or ${sql.ref(`${t}.created_by`)} = ${caller.id})`

const { list, get, create, update, remove } = changedBy(
  mayChange,
  ({ name }) => `Only its owner may change or delete the saved query '${name}'.`,
)

export const savedQueries = defineResource({
  collection: 'saved_queries',
  title: 'Saved query',
  doc: 'A search that a user saved under a name, private or shared. Names are unique per owner.',
  key: ['name'],
  // Users who may search may also save their searches.
  permission: 'entities',
  fields: {
    name: name(),
    description: text().default(''),
    // Not validated: an empty query can be saved for its filters, and an unfinished one to continue later.
    query: text(0, 20_000).default('').describe('A query in the search language. An empty query finds everything.'),
    collection: oneOf(['entities', 'observables']).default('entities').describe('The collection to search.'),
    settings: json(z.looseObject({}).check(refuseUnstorable))
      .default({})
      .describe('Filters, columns, sorting and other settings of clients.'),
    is_shared: bool().default(false).describe('Whether all users who may read entities can see it.'),
    ...stamps,
  },
  example: { name: 'Ransomware this week', query: 'tags:ransomware AND created_at:>now-7d', is_shared: true },
  visible: ({ caller }, t) => sql`(
    ${sql.ref(`${t}.is_shared`)} or ${sql.ref(`${t}.created_by`)} = ${caller.id})`,
  // No PUT: users may choose equal names, so that a name does not identify a query.
  operations: { list, get, create, update, remove },
  routes: (standard) => standard.map((route) => ({ ...route, permission: 'read entities' })),
})
