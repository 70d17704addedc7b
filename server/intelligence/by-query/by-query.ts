import type { RawBuilder, SqlBool } from 'kysely'
import { z } from 'zod'
import { parseBody } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/errors.ts'
import { parseId } from '../../engine/reference.ts'
import type { Route } from '../../engine/route.ts'
import { resolveChange } from './change-entities.ts'
import { requireStatic } from './fill-dataset.ts'
import { change, deletion, filling } from './payloads.ts'
import { bodyOf, countSelected, type Selection, selectedEntities, withoutUnified } from './selection.ts'
import { startSystemRun } from './start-run.ts'

interface ByQuery<B extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly doc: string
  readonly tag: string
  readonly path: string
  readonly permission: string
  readonly task: string
  readonly body: B
  readonly example: z.input<B>
  /** Makes the parameters of the run, and refuses what cannot be done before the run starts. */
  parametersOf(ctx: Context, input: z.output<B>, id: string): Promise<Selection & { readonly dry_run: boolean }>
}

interface ByQueryRequest<B extends z.ZodObject> {
  readonly input: z.output<B>
  readonly id: string
}

type Outcome = { readonly count: number; readonly unified?: number } | { readonly task_run: string }

const counted = z.object({
  data: z.object({
    count: z.int(),
    unified: z.int().optional().describe('How many unified entities are left out, because they cannot be changed.'),
  }),
})
const started = z.object({ data: z.object({ task_run: z.url() }) })

/** Defines an operation that may outlast a request. It responds with the run, or for a dry run with the number of entities found. */
function defineByQuery<B extends z.ZodObject>(definition: ByQuery<B>): Route<ByQueryRequest<B>, Outcome> {
  const { name, title, doc, tag, path, permission, task, body, example } = definition
  return {
    method: 'POST',
    path,
    permission,
    doc: {
      operationId: name,
      summary: doc,
      tag,
      body: z.object({ data: body }),
      example: { data: example },
      success: { 200: counted, 202: started },
      refusals: [400, 404, 409, 422],
    },
    parse: ({ body: sent, params }) => ({ input: parseBody(body, sent), id: params.id ?? '' }),
    // The number of entities that a query finds reveals their content.
    guards: () => ['read entities'],
    run: async (ctx, { input, id }) => {
      const { dry_run, ...rest } = await definition.parametersOf(ctx, input, id)
      const parameters = { ...rest, at: new Date().toISOString() }
      const isSelected = await selectedEntities(ctx, parameters)
      if (dry_run && definition.tag !== 'entities') return { count: await countSelected(ctx, isSelected) }
      if (dry_run) return countChangeable(ctx, isSelected)
      return { task_run: await startSystemRun(ctx, title, task, parameters) }
    },
    answer: (data) => ({ status: 'count' in data ? 200 : 202, body: { data } }),
  }
}

async function countChangeable(ctx: Context, isSelected: RawBuilder<SqlBool>) {
  const parts = withoutUnified(isSelected)
  const unified = await countSelected(ctx, parts.unified)
  return { count: await countSelected(ctx, parts.changeable), ...(unified > 0 && { unified }) }
}

const example = { entities_query: 'tags:obsolete AND created_at:<now-1y/d', time_zone: '+01:00' }

/** Bulk operations on all entities that a query finds. */
export const byQueryRoutes: readonly Route[] = [
  defineByQuery({
    name: 'delete_entities_by_query',
    title: 'Delete entities by query',
    doc: 'Delete all visible entities that match a query',
    tag: 'entities',
    path: '/entities/by-query/delete',
    permission: 'modify entities',
    task: 'delete-entities-by-query',
    body: bodyOf(deletion),
    example,
    parametersOf: async (_, input) => input,
  }),
  defineByQuery({
    name: 'update_entities_by_query',
    title: 'Update entities by query',
    doc: 'Update all visible entities that match a query',
    tag: 'entities',
    path: '/entities/by-query/update',
    permission: 'modify entities',
    task: 'update-entities-by-query',
    body: bodyOf(change),
    example: { ...example, added_tags: ['reviewed'], removed_tags: ['obsolete'], tlp_color: 'GREEN' },
    parametersOf: async (ctx, input) => {
      const { taxonomies, attacks } = await resolveChange(ctx, input)
      return {
        ...input,
        added_taxonomies: taxonomies.added,
        removed_taxonomies: taxonomies.removed,
        added_attacks: attacks.added,
        removed_attacks: attacks.removed,
      }
    },
  }),
  defineByQuery({
    name: 'fill_dataset_by_query',
    title: 'Fill dataset by query',
    doc: 'Add all visible entities that match a query to a dataset, replace its entities with them, or remove them from it',
    tag: 'datasets',
    path: '/datasets/:id/entities/by-query',
    permission: 'modify intel-sets',
    task: 'fill-dataset-by-query',
    body: bodyOf(filling),
    example: { ...example, action: 'add' },
    parametersOf: async (ctx, input, id) => {
      const dataset = parseId('integer', id)
      if (typeof dataset !== 'number') throw notFound(id)
      await requireStatic(ctx, dataset)
      return { ...input, dataset }
    },
  }),
]
