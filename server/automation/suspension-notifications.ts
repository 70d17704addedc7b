import { sql } from 'kysely'
import { tellOf } from '../mail/hearers.ts'
import { markTold, tellOnce } from '../mail/tell-once.ts'
import type { Server } from '../server.ts'
import type { Callers } from './circuit.ts'

/** What is suspended, and why. */
const SUSPENDED = {
  enrichers: { choice: 'enricher_suspended', what: 'enricher', because: 'its service refuses it' },
  detonators: { choice: 'detonator_suspended', what: 'detonator', because: 'the vendor refuses it' },
} as const

/** Notifies the users who may change them of suspended enrichers or detonators. */
export async function notifyOfSuspensions(server: Server, table: Callers): Promise<void> {
  const { choice, what, because } = SUSPENDED[table]
  const pending = sql`select from ${sql.table(table)} where not is_suspension_told limit 1`
  await tellOnce(server, pending, async (ctx) => {
    const ids = await markTold(ctx.db, table, 'is_suspension_told')
    if (ids.length === 0) return
    await tellOf(ctx, [
      {
        choice,
        collection: table,
        permissions: [`read ${table}`, `modify ${table}`],
        concerned: sql`
          select e.id as about, u.id as "user", null::integer as actor, 0 as write
          from unnest(${ids}::integer[]) as e(id), users as u`,
        name: sql`o.name`,
        tell: ({ id, name }) => ({
          text: `The ${what} ‘${name}’ is suspended, because ${because}. Correct its parameters, then save or resume it.`,
          path: `/${table}/${id}`,
        }),
      },
    ])
  })
}
