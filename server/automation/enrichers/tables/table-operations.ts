import { keepOwnTasks, removeOwnTasks, type TaskOwner } from '../../../background/owned-tasks.ts'
import type { Operations } from '../../../engine/definition.ts'
import { fetchRows } from '../../../engine/fetch.ts'
import { standard } from '../../../engine/standard.ts'
import { sweepSoon } from '../../../intelligence/stored-blobs/sweep-soon.ts'

/** The tasks of tables, which download them. */
export const TABLES: TaskOwner = {
  table: 'enricher_tables',
  column: 'task',
  type: 'enricher-table',
  title: 'Enricher table',
  parameter: 'table',
}

/** The standard operations; in addition, the task of a table is created, changed and deleted with it. */
export const tableOperations: Operations = {
  ...standard,
  create: async (ctx, resource, item) => {
    const { id } = await standard.create(ctx, resource, item)
    await keepOwnTasks(ctx.db, TABLES, [id])
    return standard.get(ctx, resource, id)
  },
  upsert: async (ctx, resource, items) => {
    const { rows, created } = await standard.upsert(ctx, resource, items)
    const ids = rows.map(({ id }) => id)
    await keepOwnTasks(ctx.db, TABLES, ids)
    return { rows: await fetchRows(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch) => {
    await standard.update(ctx, resource, id, patch)
    await keepOwnTasks(ctx.db, TABLES, [id])
    return standard.get(ctx, resource, id)
  },
  remove: async (ctx, resource, ids) => {
    await removeOwnTasks(ctx, TABLES, ids)
    await standard.remove(ctx, resource, ids)
    await sweepSoon(ctx)
  },
}
