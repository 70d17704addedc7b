import { sql } from 'kysely'
import { isRecord } from '../../domain/record.ts'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { standard } from '../../engine/standard.ts'

/** The standard operations, except that annotations and the layer of an analysis stay in its matrix. */
export const analysisOperations: typeof standard = {
  ...standard,
  create: async (ctx, resource, item) => {
    const row = await standard.create(ctx, resource, item)
    await requireOwnMatrix(ctx, [row], [item])
    return row
  },
  upsert: async (ctx, resource, items) => {
    const written = await standard.upsert(ctx, resource, items)
    await requireOwnMatrix(ctx, written.rows, items)
    return written
  },
  update: async (ctx, resource, id, patch) => {
    const row = await standard.update(ctx, resource, id, patch)
    await requireOwnMatrix(ctx, [row], [patch])
    return row
  },
}

/** Refuses another matrix than that of the annotations and of the layer. The rows are locked by their update. */
async function requireOwnMatrix(ctx: Context, rows: readonly AnyRow[], items: readonly Item[]): Promise<void> {
  const layered = rows.flatMap(({ attack_matrix, ui_metadata }, i) => {
    const layer = isRecord(ui_metadata) ? ui_metadata.layer : undefined
    if (!isRecord(layer) || layer.domain === attack_matrix) return []
    return [`${itemPrefix(items, i)}attack_matrix: the layer in ui_metadata is of ${layer.domain}.`]
  })
  const { rows: annotated } = await sql<{ id: number; count: number }>`
    select a.attack_analysis as id, count(*) as count
    from attack_annotations as a
    join attack_analyses as t on t.id = a.attack_analysis
    join attack_nodes as n on n.id = a.attack_node
    where t.id = any(${rows.map(({ id }) => id)}::integer[]) and n.matrix <> t.attack_matrix
    group by 1`.execute(ctx.db)
  const counts = new Map(annotated.map(({ id, count }) => [id, count]))
  const left = rows.flatMap(({ id }, i) => {
    const count = counts.get(Number(id))
    const plural = count === 1 ? 'annotation is' : 'annotations are'
    return count === undefined
      ? []
      : [`${itemPrefix(items, i)}attack_matrix: ${count} ${plural} in another matrix. Delete them first.`]
  })
  const faults = [...layered, ...left]
  if (faults.length > 0) throw badRequest(faults)
}
