import { sql } from 'kysely'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Item } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { among, bool, oneOf, ref, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { withExample } from '../../engine/route.ts'
import { stamps } from '../../engine/stamps.ts'
import type { standard } from '../../engine/standard.ts'
import { ownOperations } from './system-rows.ts'

const operations: typeof standard = {
  ...ownOperations,
  create: async (ctx, resource, item) => {
    const row = await ownOperations.create(ctx, resource, item)
    requireSense([row], [item])
    return row
  },
  upsert: async (ctx, resource, items) => {
    // They are parts of the key, which has to be complete.
    const whole = items.map((item) => ({ ...item, name: item.name ?? '', channel: item.channel ?? '' }))
    const written = await ownOperations.upsert(ctx, resource, whole)
    requireSense(written.rows, items)
    return written
  },
  update: async (ctx, resource, id, patch) => {
    const row = await ownOperations.update(ctx, resource, id, patch)
    requireSense([row], [patch])
    return row
  },
}

/** Refuses written relationships that mean nothing. The error undoes the write. */
function requireSense(rows: readonly AnyRow[], items: readonly Item[]): void {
  const faults = rows.flatMap((row, i) => {
    const prefix = itemPrefix(items, i)
    const named = ['name', 'channel'].filter((field) => row.type === 'analytic-references' && row[field] !== '')
    return [
      ...named.map((field) => `${prefix}${field}: only log-source-references have one`),
      ...(row.from_defense === row.to_defense ? [`${prefix}to_defense: a defense cannot refer to itself`] : []),
    ]
  })
  if (faults.length > 0) throw badRequest(faults)
}

const TYPES = ['analytic-references', 'log-source-references'] as const

const example = {
  from_defense: 1,
  to_defense: 2,
  type: 'log-source-references',
  name: 'WinEventLog:Security',
  channel: 'EventCode=4688',
}

export const defenseInnerRelationships = defineResource({
  collection: 'defense_inner_relationships',
  title: 'Defense inner relationship',
  doc: 'That a defense refers to another one: a detection strategy to an analytic, or an analytic to a data component that it reads from a log source. Those of frameworks are read-only.',
  permission: 'attack',
  key: ['from_defense', 'to_defense', 'type', 'name', 'channel'],
  fields: {
    from_defense: ref('attack_defenses').required(),
    to_defense: ref('attack_defenses').required(),
    type: oneOf(TYPES).required(),
    name: text(0, 500).default('').describe('The name of the log source; empty for analytic-references.'),
    channel: text(0, 1000).default('').describe('The channel of the log source; empty for analytic-references.'),
    is_system: bool().readOnly().describe('Whether it belongs to a framework and is read-only.'),
    ...stamps,
  },
  search: { filters: { type: among(TYPES, (_, values) => sql`t.type = any(${values}::text[])`) } },
  operations,
  // The defenses of the example need not be of the types that it means.
  routes: (standard) => standard.map((route) => withExample(route, example)),
})
