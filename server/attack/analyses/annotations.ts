import { sql } from 'kysely'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { ref, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { withExample } from '../../engine/route.ts'
import { stamps } from '../../engine/stamps.ts'
import { standard } from '../../engine/standard.ts'
import { MAX_COMMENT_LENGTH } from './layers/layer.ts'

const operations: typeof standard = {
  ...standard,
  create: async (ctx, resource, item) => {
    const row = await standard.create(ctx, resource, item)
    await requireOwnNodes(ctx, [row], [item])
    return row
  },
  upsert: async (ctx, resource, items) => {
    const written = await standard.upsert(ctx, resource, items)
    await requireOwnNodes(ctx, written.rows, items)
    return written
  },
  update: async (ctx, resource, id, patch) => {
    const row = await standard.update(ctx, resource, id, patch)
    await requireOwnNodes(ctx, [row], [patch])
    return row
  },
}

/** Refuses annotations on nodes of another matrix. The analyses are locked, because their matrix could change at the same time. */
async function requireOwnNodes(ctx: Context, rows: readonly AnyRow[], items: readonly Item[]): Promise<void> {
  const { rows: found } = await sql<{ id: number; node: string; matrix: string; of: string }>`
    select t.id, n.id as node, n.matrix, a.attack_matrix as of
    from attack_annotations as t
    join attack_analyses as a on a.id = t.attack_analysis
    join attack_nodes as n on n.id = t.attack_node
    where t.id = any(${rows.map(({ id }) => id)}::integer[])
    order by a.id
    for share of a`.execute(ctx.db)
  const byId = new Map(found.map((each) => [each.id, each]))
  const faults = rows.flatMap(({ id }, i) => {
    const each = byId.get(Number(id))
    return each === undefined || each.matrix === each.of
      ? []
      : [`${itemPrefix(items, i)}attack_node: '${each.node}' is in ${each.matrix}, and the analysis in ${each.of}.`]
  })
  if (faults.length > 0) throw badRequest(faults)
}

const example = { attack_analysis: 1, attack_node: 'TA0001:T1566.001', content: 'We block such attachments.' }

export const attackAnnotations = defineResource({
  collection: 'attack_annotations',
  title: 'Attack annotation',
  doc: 'What an analysis says about a node of its matrix.',
  permission: 'attack',
  key: ['attack_analysis', 'attack_node'],
  fields: {
    attack_analysis: ref('attack_analyses').required(),
    attack_node: ref('attacks').required().describe('A node of the matrix of the analysis.'),
    content: text(1, MAX_COMMENT_LENGTH).required(),
    ...stamps,
  },
  operations,
  // The analysis of the example need not exist.
  routes: (standard) => standard.map((route) => withExample(route, example)),
})
