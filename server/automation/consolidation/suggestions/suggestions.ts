import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../engine/context.ts'
import { computed, found, json, oneOf, ref, searched, text, timestamp } from '../../../engine/field.ts'
import { toId } from '../../../engine/reference.ts'
import { defineResource } from '../../../engine/resource.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { readOnly } from '../../../engine/standard.ts'
import { sourceOf } from '../../../identity/access/visibility.ts'
import { reason } from '../reason.ts'

export const SUGGESTION_STATES = ['open', 'accepted', 'refused'] as const

/** The pairs `t` of which one is one of these entities. */
const entity = searched(
  'the id or URL of an entity',
  (given) => toId('entities', given)?.toString(),
  (_, ids) => sql`(t.first = any(${ids}::uuid[]) or t.second = any(${ids}::uuid[]))`,
)

/** The pairs `t` of which one is of one of these sources. */
const source = searched(
  'the id or URL of a source',
  (given) => toId('sources', given)?.toString(),
  (_, ids) => sql`exists (
    select from entities as e join numbered_sources as s on s.number = ${sourceOf(sql`e.vis`)}
    where e.id in (t.first, t.second) and s.id = any(${ids}::uuid[]))`,
)

export const consolidationSuggestions = defineResource({
  collection: 'consolidation_suggestions',
  title: 'Consolidation suggestion',
  doc: 'Two entities that may be the same, which a user decides. You see those of which you see both entities.',
  key: ['id'],
  permission: 'entities',
  fields: {
    first: found('entities', 't.first'),
    second: found('entities', 't.second'),
    type: text().readOnly().describe('The type of both entities.'),
    reasons: json(z.array(reason)).readOnly().describe('What they have in common.'),
    state: oneOf(SUGGESTION_STATES)
      .readOnly()
      .describe('accepted: a user consolidated them. refused: a user said that they are not the same.'),
    created_at: timestamp().stamped('created-at'),
    decided_at: timestamp().nullable().readOnly(),
    decided_by: ref('users').nullable().readOnly(),
  },
  visible: (ctx, t) => {
    if (!ctx.caller.permissions.has('read entities')) return sql`false`
    return sql`(${isSeen(ctx, `${t}.first`)} and ${isSeen(ctx, `${t}.second`)})`
  },
  search: {
    filters: {
      entity,
      source,
      'reasons.kind': computed(
        'text[]',
        z.array(z.string()),
        `array(select r.value ->> 'kind' from jsonb_array_elements(t.reasons) as r(value))`,
      ),
    },
  },
  operations: readOnly,
})

const isSeen = (ctx: Context, column: string): RawBuilder<SqlBool> => sql`exists (
  select from entities as e
  where e.id = ${sql.ref(column)} and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')})`
