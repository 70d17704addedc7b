import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { conflict } from '../../engine/errors.ts'
import { resourceOf, visible } from '../../engine/select.ts'

/**
 * Runs a write of the matching workspaces `t`, and responds 409 if it would leave a dataset without a workspace. Workspaces
 * that the caller cannot see do not count, because the response would reveal them.
 */
export async function keepDatasets<T>(ctx: Context, written: RawBuilder<SqlBool>, write: () => Promise<T>): Promise<T> {
  // Two requests that each remove one of the last two workspaces of a dataset must wait for each other.
  await sql`select from workspaces as t where ${written} order by t.id for update`.execute(ctx.db)
  const { rows: held } = await sql<{ id: number }>`
    select d.id
    from datasets as d
    where d.id in (
      select l.source from dataset_workspaces as l join workspaces as t on t.id = l.target where ${written})
    order by d.id
    for update of d`.execute(ctx.db)
  const result = await write()
  const { rows: lost } = await sql<{ name: string }>`
    select d.name
    from datasets as d
    where d.id = any(${held.map(({ id }) => id)}::integer[])
      and not exists (
        select from dataset_workspaces as l join workspaces as w on w.id = l.target
        where l.source = d.id and ${visible(ctx, resourceOf(ctx, 'workspaces'), 'w')})
    order by d.name
    limit 5`.execute(ctx.db)
  if (lost.length === 0) return result
  throw conflict(`A dataset needs a workspace; ${lost.map(({ name }) => `'${name}'`).join(', ')} would have none.`)
}
