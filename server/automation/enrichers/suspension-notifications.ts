import { sql } from 'kysely'
import { NOBODY } from '../../engine/route.ts'
import { tellOf } from '../../mail/hearers.ts'
import type { Server } from '../../server.ts'

/** Notifies users of suspended enrichers; only once, however many processes check. */
export async function notifyOfSuspensions(server: Server): Promise<void> {
  const { rows: pending } = await sql`select from enrichers where not is_suspension_told limit 1`.execute(server.db)
  if (pending.length === 0) return
  await server.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: number }>`
      update enrichers set is_suspension_told = true
      where id in (select id from enrichers where not is_suspension_told for update skip locked)
      returning id`.execute(db)
    if (rows.length === 0) return
    await tellOf({ ...server, db, caller: NOBODY, baseUrl: '' }, [
      {
        choice: 'enricher_suspended',
        collection: 'enrichers',
        permissions: ['read enrichers', 'modify enrichers'],
        concerned: sql`
          select e.id as about, u.id as "user", null::integer as actor, 0 as write
          from unnest(${rows.map(({ id }) => id)}::integer[]) as e(id), users as u`,
        name: sql`o.name`,
        tell: ({ id, name }) => ({
          text: `The enricher ‘${name}’ is suspended, because its service refuses it. Correct its parameters, then save or resume it.`,
          path: `/enrichers/${id}`,
        }),
      },
    ])
  })
}
