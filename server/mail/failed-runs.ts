import { sql } from 'kysely'
import { NOBODY } from '../engine/route.ts'
import type { Server } from '../server.ts'
import { tellStarters } from './news.ts'

const BATCH = 1000

/** Notifies users of failed runs that they started. Each failure is reported once, with any number of workers. */
export async function tellFailures(server: Server): Promise<void> {
  const isUntold = sql`state = 'FAILURE' and not is_told`
  const { rows: any } = await sql`select from task_runs where ${isUntold} limit 1`.execute(server.db)
  if (any.length === 0) return
  await server.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: string }>`
      update task_runs set is_told = true
      where id in (select id from task_runs where ${isUntold} limit ${BATCH} for update skip locked)
      returning id`.execute(db)
    const ctx = { ...server, db, caller: NOBODY, baseUrl: '' }
    await tellStarters(
      ctx,
      rows.map(({ id }) => id),
    )
  })
}
