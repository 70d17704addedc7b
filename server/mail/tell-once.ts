import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Context } from '../engine/context.ts'
import { NOBODY } from '../engine/route.ts'
import type { Server } from '../server.ts'

/**
 * Sends notifications in one transaction, if `pending` finds a row. `tell` marks what it tells in that transaction, so that each is sent
 * once, however many processes check.
 */
export async function tellOnce(
  server: Server,
  pending: RawBuilder<unknown>,
  tell: (ctx: Context) => Promise<void>,
): Promise<void> {
  const { rows } = await pending.execute(server.db)
  if (rows.length === 0) return
  await server.db.transaction().execute((db) => tell({ ...server, db, caller: NOBODY, baseUrl: '' }))
}

/** Marks the rows whose column is false, and returns their ids. Those that another process is marking are left to it. */
export async function markTold(db: Kysely<unknown>, table: string, column: string): Promise<number[]> {
  const [rows, isTold] = [sql.table(table), sql.ref(column)]
  const { rows: marked } = await sql<{ id: number }>`
    update ${rows} set ${isTold} = true
    where id in (select id from ${rows} where not ${isTold} for update skip locked)
    returning id`.execute(db)
  return marked.map(({ id }) => id)
}
