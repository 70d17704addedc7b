import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { latestStateOf } from '../../../background/owned-tasks.ts'
import type { Context } from '../../../engine/context.ts'
import { bool, computed, ref, text } from '../../../engine/field.ts'
import { defineResource } from '../../../engine/resource.ts'
import { stamps } from '../../../engine/stamps.ts'
import { configurationRoutes } from './configurations.ts'
import { previewDissolution } from './dissolution.ts'
import { policyOperations } from './policy-operations.ts'
import { previewPolicy } from './preview-route.ts'
import { CONTRIBUTORS, fromSeen } from './seen-counts.ts'
import { listSwitchedOffKeys } from './switched-off.ts'

/** How many rows belong to the unified entities of the policy `t` that the caller sees. */
const countSeen = (ctx: Context, joined: RawBuilder<unknown>): RawBuilder<unknown> =>
  ctx.caller.permissions.has('read entities')
    ? sql`(select count(*)::integer ${fromSeen(ctx, joined)} and q.policy = t.id)`
    : sql`0`

export const consolidationRules = defineResource({
  collection: 'consolidation_rules',
  title: 'Consolidation policy',
  doc: 'Joins entities of different sources that describe the same thing. Its configurations say which entities, and how a unified entity is composed.',
  key: ['name'],
  permission: 'rules',
  fields: {
    name: text(0, 500).default('').describe('By default “Consolidation into” and the name of the group.'),
    is_active: bool().required().describe('An inactive policy joins nothing further, and takes nothing apart.'),
    merge_group: ref('groups')
      .required()
      .describe('Unified entities belong to the source of this group, of which you must be a member.'),
    task: ref('tasks').nullable().readOnly().describe('The task that consolidates existing entities.'),
    status: computed('text', z.string().nullable(), latestStateOf('t.task')).describe('The state of its latest run.'),
    warning: text().nullable().readOnly().describe('What did not work when it last acted; null if everything did.'),
    unified_count: computed('integer', z.int(), (ctx) => countSeen(ctx, sql``)).describe(
      'How many of its unified entities you see.',
    ),
    contributors_count: computed('integer', z.int(), (ctx) => countSeen(ctx, CONTRIBUTORS)).describe(
      'How many entities contribute to the unified entities that you see.',
    ),
    ...stamps,
  },
  operations: policyOperations,
  routes: (standard) => [previewPolicy, previewDissolution, listSwitchedOffKeys, ...configurationRoutes, ...standard],
  example: { name: 'Consolidate threat actors', is_active: true, merge_group: 1 },
})
