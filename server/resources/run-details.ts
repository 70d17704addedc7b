import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../engine/resource.ts'

/** Whether the caller reads what a run got, wrote and gave: they started it, or they manage tasks. */
export const mayReadDetails = ({ caller }: Pick<Context, 'caller'>, run = 't'): RawBuilder<SqlBool> =>
  caller.permissions.has('modify tasks')
    ? sql`true`
    : sql`coalesce(${sql.ref(`${run}.created_by`)} = ${caller.id}, false)`
