import { sql } from 'kysely'
import { keepOwnTasks, removeOwnTasks, type TaskOwner } from '../../background/owned-tasks.ts'
import { fetchRows } from '../../engine/fetch.ts'
import type { Id } from '../../engine/reference.ts'
import type { AnyRow, Context, Resource } from '../../engine/resource.ts'
import { standard } from '../../engine/standard.ts'
import { criteriaOf, refuseBoundless } from './criteria.ts'

/** Rules have a task each, which looks for what they describe. */
export const RULES: TaskOwner = {
  table: 'discovery_rules',
  column: 'task',
  type: 'discovery-rule',
  title: 'Discovery rule',
  parameter: 'rule',
}

/** The operations of discovery rules: whoever writes one is who it looks for. */
export const operations: typeof standard = {
  ...standard,
  create: async (ctx, resource, item) => {
    const { id } = await standard.create(ctx, resource, item)
    const [row] = await settled(ctx, resource, [id])
    return row as AnyRow
  },
  upsert: async (ctx, resource, items) => {
    const { rows, created } = await standard.upsert(ctx, resource, items)
    const ids = rows.map(({ id }) => id)
    return { rows: await settled(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch) => {
    await standard.update(ctx, resource, id, patch)
    const [row] = await settled(ctx, resource, [id])
    return row as AnyRow
  },
  remove: async (ctx, resource, ids) => {
    await removeOwnTasks(ctx, RULES, ids)
    await standard.remove(ctx, resource, ids)
  },
}

/** Puts in order what only the platform writes: for whom it looks, and the task. */
async function settled(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<AnyRow[]> {
  refuseBoundless(await criteriaOf(ctx, ids))
  await sql`update discovery_rules set owner = ${ctx.caller.id} where id = any(${ids}::integer[])`.execute(ctx.db)
  await keepOwnTasks(ctx.db, RULES, ids)
  return fetchRows(ctx, resource, ids)
}
