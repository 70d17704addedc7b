import { sql } from 'kysely'
import { among, int, oneOf, ref, text, timestamp } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { withExample } from '../../engine/route.ts'
import { stamps } from '../../engine/stamps.ts'
import { MAX_SCORE } from './coverage.ts'

const STATUSES = ['none', 'planned', 'partial', 'done'] as const

const example = {
  defense: 1,
  status: 'partial',
  score: 2,
  note: 'Servers are done.',
  review_at: '2027-01-31T00:00:00Z',
}

export const defenseStatuses = defineResource({
  collection: 'defense_statuses',
  title: 'Defense status',
  doc: 'How far your organisation has built a defense, also one of a framework. Coverage is computed from the scores.',
  permission: 'attack',
  key: ['defense'],
  fields: {
    defense: ref('attack_defenses').required(),
    status: oneOf(STATUSES).default('none'),
    score: int(0, MAX_SCORE).default(0).describe(`How well it works, from 0 to ${MAX_SCORE}.`),
    owner: ref('users').nullable(),
    note: text().default(''),
    review_at: timestamp().nullable().describe('When to look at it again.'),
    ...stamps,
  },
  search: { filters: { status: among(STATUSES, (_, values) => sql`t.status = any(${values}::text[])`) } },
  // The defense of the example may have a status.
  routes: (standard) => standard.map((route) => withExample(route, example)),
})
