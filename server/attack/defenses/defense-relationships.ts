import { sql } from 'kysely'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { Item } from '../../engine/context.ts'
import { among, bool, oneOf, ref, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { withExample } from '../../engine/route.ts'
import { stamps } from '../../engine/stamps.ts'
import type { standard } from '../../engine/standard.ts'
import { MATRICES } from '../frameworks/framework.ts'
import { ownOperations } from './system-rows.ts'
import { type MentionedTechnique, requireTechniques } from './techniques.ts'

const mentioned = (items: readonly Item[]): MentionedTechnique[] =>
  items.flatMap(({ technique }, i) =>
    technique === undefined ? [] : [{ path: `${itemPrefix(items, i)}technique`, id: technique as string }],
  )

const operations: typeof standard = {
  ...ownOperations,
  create: async (ctx, resource, item) => {
    await requireTechniques(ctx, mentioned([item]))
    return ownOperations.create(ctx, resource, item)
  },
  upsert: async (ctx, resource, items) => {
    await requireTechniques(ctx, mentioned(items))
    return ownOperations.upsert(ctx, resource, items)
  },
  update: async (ctx, resource, id, patch) => {
    await requireTechniques(ctx, mentioned([patch]))
    return ownOperations.update(ctx, resource, id, patch)
  },
}

const example = {
  defense: 1,
  technique: 'TA0001:T1566.001',
  type: 'mitigates',
  description: 'Attachments are scanned.',
}

const TYPES = ['mitigates', 'detects'] as const

const inMatrix = among(
  MATRICES,
  (_, values) => sql`t.technique in (select n.id from attack_nodes as n where n.matrix = any(${values}::text[]))`,
)

export const defenseRelationships = defineResource({
  collection: 'defense_relationships',
  title: 'Defense relationship',
  doc: 'That a defense mitigates or detects a technique in one place of a matrix. Those of frameworks are read-only.',
  permission: 'attack',
  key: ['defense', 'technique', 'type'],
  fields: {
    defense: ref('attack_defenses').required(),
    technique: ref('attacks').required().describe('In one of its places, such as TA0001:T1566.'),
    type: oneOf(TYPES).required(),
    description: text().default(''),
    is_system: bool().readOnly().describe('Whether it belongs to a framework and is read-only.'),
    ...stamps,
  },
  search: {
    filters: {
      type: among(TYPES, (_, values) => sql`t.type = any(${values}::text[])`),
      domains: inMatrix,
      matrix: inMatrix,
    },
  },
  operations,
  // The relationship of the example may exist.
  routes: (standard) => standard.map((route) => withExample(route, example)),
})
