import { sql } from 'kysely'
import { found, int, json, oneOf, ref, text, timestamp } from '../../../engine/field.ts'
import { defineResource } from '../../../engine/resource.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { readOnly } from '../../../engine/standard.ts'
import { holdsKey } from '../../../identity/access/sight.ts'
import { entityUrl } from '../entity-url.ts'
import { reason } from '../reason.ts'

const METHODS = ['rule-based', 'user-assigned'] as const

export const consolidationEvents = defineResource({
  collection: 'consolidation_events',
  title: 'Consolidation event',
  doc: 'An entity came to contribute to a unified entity. You see those of unified entities that you see, or saw when they were taken apart.',
  key: ['id'],
  permission: 'entities',
  fields: {
    entity_id: entityUrl('entity').describe('The contributor.'),
    unified_entity_id: entityUrl('unified').describe('The unified entity, which may be deleted by now.'),
    method: oneOf(METHODS).readOnly().describe('Whether a policy or a user joined it.'),
    reason: json(reason).nullable().readOnly().describe('What it has in common with other contributors, if known.'),
    policy: found('consolidation_rules', 'select p.id from consolidation_rules as p where p.id = t.policy').describe(
      'The policy that joined it; null if there was none, or if it is deleted.',
    ),
    created_at: timestamp().stamped('created-at'),
    created_by: ref('users').nullable().stamped('created-by').describe('The user who joined it.'),
    undone_at: timestamp().nullable().readOnly().describe('When it left the unified entity.'),
    undone_by: ref('users').nullable().readOnly(),
    undone_reason: text().nullable().readOnly().describe('Why it left the unified entity.'),
    vis: int().hidden(),
  },
  visible: (ctx, t) => {
    if (!ctx.caller.permissions.has('read entities')) return sql`false`
    const entity = sql`select from entities as e where e.id = ${sql.ref(`${t}.entity`)}`
    return sql`(${holdsKey(ctx, sql.ref(`${t}.vis`))} and (
      exists (${entity} and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}) or not exists (${entity})))`
  },
  operations: readOnly,
})
