import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../engine/context.ts'

/** Whether the caller may read the parameters, log and result of a run: they started it, or manage tasks. */
export const mayReadDetails = ({ caller }: Pick<Context, 'caller'>, run = 't'): RawBuilder<SqlBool> =>
  caller.permissions.has('modify tasks')
    ? sql`true`
    : sql`coalesce(${sql.ref(`${run}.created_by`)} = ${caller.id}, false)`

/** A detail of the latest run of the row `t`; null for callers who may not read it. */
export const runDetail =
  (column: 'result' | 'error_detail') =>
  (ctx: Pick<Context, 'caller'>): RawBuilder<unknown> =>
    sql`(select case when ${mayReadDetails(ctx, 'r')} then r.${sql.ref(column)} end from task_runs as r where r.id = t.run)`

/** Whether the caller may read the details of the run of the row `t`. */
export const mayReadOwnRun = (ctx: Pick<Context, 'caller'>): RawBuilder<SqlBool> =>
  sql`exists (select from task_runs as r where r.id = t.run and ${mayReadDetails(ctx, 'r')})`
