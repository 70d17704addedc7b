import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { computed, found, int, text, timestamp } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { readOnly } from '../../engine/standard.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { EFFECT_KINDS } from './effects.ts'

const effect = z.looseObject({
  kind: z.enum(EFFECT_KINDS),
  value: z.union([z.string(), z.int()]),
  before: z.string().nullable().optional(),
})

/** The effects without the datasets that the caller cannot see. */
const shownEffects = (ctx: Context) => sql`(
  select coalesce(jsonb_agg(e.value - 'was_family' order by e.place), '[]')
  from jsonb_array_elements(t.effects) with ordinality as e(value, place)
  where e.value ->> 'kind' <> 'dataset_added' or exists (
    select from datasets as d
    where d.id = (e.value ->> 'value')::integer and ${visible(ctx, resourceOf(ctx, 'datasets'), 'd')}))`

export const entityRuleEffects = defineResource({
  collection: 'entity_rule_effects',
  title: 'Entity rule effect',
  doc: 'What a rule did to an entity in one write. You see those of entities that you see.',
  key: ['id'],
  permission: 'rules',
  fields: {
    rule: found('entity_rules', 't.rule'),
    rule_name: computed('text', z.string(), '(select r.name from entity_rules as r where r.id = t.rule)'),
    entity: found('entities', 't.entity'),
    title: computed(
      'text',
      z.string(),
      `(select coalesce(nullif(e.meta ->> 'alias', ''), e.data ->> 'title') from entities as e where e.id = t.entity)`,
    ).describe('The title of the entity as it is now.'),
    run: found('task_runs', 't.run').describe('The run of the rule; null for writes.'),
    effects: computed('jsonb', z.array(effect), shownEffects).describe(
      'What it did. Taxonomies and datasets are ids. The colour of the entity is the most restrictive that rules gave.',
    ),
    created_at: timestamp().stamped('created-at'),
    undone_at: timestamp().nullable().readOnly().describe('When it was taken back.'),
    kept: text().nullable().readOnly().describe('Why not everything was taken back.'),
    vis: int().hidden(),
  },
  visible: (ctx, t) => {
    if (!ctx.caller.permissions.has('read entities')) return sql`false`
    return sql`(${holdsKey(ctx, sql.ref(`${t}.vis`))}
      and exists (select from entity_rules as r where r.id = ${sql.ref(`${t}.rule`)})
      and exists (select from entities as e where e.id = ${sql.ref(`${t}.entity`)}
        and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}))`
  },
  operations: readOnly,
})
