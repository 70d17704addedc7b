import { sql } from 'kysely'
import { keepOwnTasks, removeOwnTasks } from '../../background/owned-tasks.ts'
import type { AnyRow, Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { fetchRows } from '../../engine/fetch.ts'
import type { Id } from '../../engine/reference.ts'
import { standard } from '../../engine/standard.ts'
import { criteriaOf, refuseBoundless } from './criteria.ts'
import { RULES, rescanChanged } from './rescans.ts'

/**
 * The standard operations; in addition, the user who writes a rule becomes its owner, its task is kept up to date, and a rescan starts if it
 * matches something else.
 */
export const discoveryRuleOperations: typeof standard = {
  ...standard,
  create: async (ctx, resource, item) => {
    const { id } = await standard.create(ctx, resource, item)
    const [row] = await completed(ctx, resource, [id])
    return row as AnyRow
  },
  upsert: async (ctx, resource, items) => {
    const { rows, created } = await standard.upsert(ctx, resource, items)
    const ids = rows.map(({ id }) => id)
    return { rows: await completed(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch) => {
    await standard.update(ctx, resource, id, patch)
    const [row] = await completed(ctx, resource, [id])
    return row as AnyRow
  },
  remove: async (ctx, resource, ids) => {
    await removeOwnTasks(ctx, RULES, ids)
    await standard.remove(ctx, resource, ids)
  },
}

/** Checks written rules, sets their owner and task, and starts rescans. */
async function completed(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<AnyRow[]> {
  refuseBoundless(await criteriaOf(ctx, ids))
  await sql`update discovery_rules set owner = ${ctx.caller.id} where id = any(${ids}::integer[])`.execute(ctx.db)
  await keepOwnTasks(ctx.db, RULES, ids)
  await rescanChanged(ctx, ids)
  return fetchRows(ctx, resource, ids)
}
