import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import { createSchema, parseOne } from '../../engine/body.ts'
import type { Context, Item } from '../../engine/context.ts'
import { requireVisible } from '../../engine/fetch.ts'
import { toUrl } from '../../engine/reference.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import { preview } from './preview.ts'
import { readRule } from './read-rules.ts'
import type { Rule } from './rule.ts'

const state = z.object({
  tlp_color: z.string().nullable(),
  tags: z.array(z.string()),
  taxonomies: z.array(z.string()),
  datasets: z.array(z.string()),
  title: z.string(),
  type: z.string(),
})

const counted = <S extends z.ZodRawShape>(shape: S) => z.array(z.object({ ...shape, count: z.int() }))

const result = z.object({
  matched: z.int().describe('The number of judged entities that match.'),
  judged: z.int().describe('The number of entities that were compared with the rule, the newest first.'),
  is_sample: z.boolean().describe('Whether there are more entities than were judged.'),
  changed: z.int().describe('The number of entities that match and would change.'),
  by_type: counted({ type: z.string() }).describe('The matching entities by type.'),
  by_source: counted({ source: z.url(), name: z.string() }).describe('The matching entities by source.'),
  by_effect: counted({ effect: z.string() }).describe('What the rule would do, as in its history.'),
  warnings: z.array(z.string()),
  samples: z.array(
    z.object({
      entity: z.url(),
      type: z.string(),
      title: z.string(),
      source_name: z.string(),
      before: state,
      after: state,
    }),
  ),
})

const route = defineAction({
  name: 'preview_entity_rule',
  doc: 'Show what a saved or unsaved rule would do to the newest entities; nothing is stored',
  tag: 'entity_rules',
  method: 'POST',
  path: '/entities/rules/preview',
  permission: 'modify rules',
  body: z.looseObject({ id: z.int().optional().describe('The saved rule that it replaces.') }),
  example: { actions: ['add_tags'], add_tags: ['banking'], entity_types: ['indicator'], content_criteria: 'banking' },
  result,
  refusals: [404, 422],
  run: async (ctx, { id, ...fields }) => {
    if (id !== undefined) await requireVisible(ctx, resourceOf(ctx, 'entity_rules'), id)
    const { by_source, samples, ...rest } = await preview(ctx, await asSaved(ctx, fields), id)
    return {
      ...rest,
      by_source: by_source.map((each) => ({ ...each, source: toUrl(ctx.baseUrl, 'sources', each.source) })),
      samples: samples.map((each) => ({ ...each, entity: toUrl(ctx.baseUrl, 'entities', each.entity) })),
    }
  },
})

/** Shows what a rule would do to existing entities, without storing anything. */
export const previewRule: Route = { ...route, guards: () => ['read entities', 'modify entities'] }

/**
 * The rule as it would act if it were saved. It is saved for a moment, so that everything is checked, and rolled back together with the
 * transaction, which would otherwise hold up the readers of the change log during the preview.
 */
async function asSaved(ctx: Context, fields: Item): Promise<Rule> {
  const resource = resourceOf(ctx, 'entity_rules')
  const item = parseOne(resource, createSchema(resource), {
    ...fields,
    name: `preview ${randomUUID()}`,
    is_active: true,
  })
  const row = await resource.operations.create?.(ctx, resource, item as never)
  const rule = await readRule(ctx, Number((row as Item | undefined)?.id))
  await sql`rollback and chain`.execute(ctx.db)
  if (!rule) throw new TypeError('The rule was not stored.')
  return rule
}
