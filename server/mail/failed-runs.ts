import { sql } from 'kysely'
import type { Server } from '../server.ts'
import { tellStarters } from './news.ts'
import { tellOnce } from './tell-once.ts'

const BATCH = 1000

/** Notifies users of failed runs that they started. */
export async function tellFailures(server: Server): Promise<void> {
  const isUntold = sql`state = 'FAILURE' and not is_told`
  await tellOnce(server, sql`select from task_runs where ${isUntold} limit 1`, async (ctx) => {
    const { rows } = await sql<{ id: string }>`
      update task_runs set is_told = true
      where id in (select id from task_runs where ${isUntold} limit ${BATCH} for update skip locked)
      returning id`.execute(ctx.db)
    await tellStarters(
      ctx,
      rows.map(({ id }) => id),
    )
  })
}
