import { sql } from 'kysely'
import { defang } from '../../../domain/observables/defang.ts'
import { NOBODY } from '../../../engine/route.ts'
import { tellOf } from '../../../mail/hearers.ts'
import type { Server } from '../../../server.ts'

/** Notifies users of suspended detonators, and requesters of detonations that have ended; only once, however many processes check. */
export async function notifyUsers(server: Server): Promise<void> {
  await tellOfSuspensions(server)
  await tellOfEnds(server)
}

async function tellOfSuspensions(server: Server): Promise<void> {
  const { rows: pending } = await sql`select from detonators where not is_suspension_told limit 1`.execute(server.db)
  if (pending.length === 0) return
  await server.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: number }>`
      update detonators set is_suspension_told = true
      where id in (select id from detonators where not is_suspension_told for update skip locked)
      returning id`.execute(db)
    await tellOf({ ...server, db, caller: NOBODY, baseUrl: '' }, [
      {
        choice: 'detonator_suspended',
        collection: 'detonators',
        permissions: ['read detonators', 'modify detonators'],
        concerned: sql`
          select e.id as about, u.id as "user", null::integer as actor, 0 as write
          from unnest(${rows.map(({ id }) => id)}::integer[]) as e(id), users as u`,
        name: sql`o.name`,
        tell: ({ id, name }) => ({
          text: `The detonator ‘${name}’ is suspended, because the vendor refuses it. Correct its parameters, then save or resume it.`,
          path: `/detonators/${id}`,
        }),
      },
    ])
  })
}

const ENDS: Readonly<Record<string, string>> = {
  FINISHED: 'has finished: its report is there',
  FAILED: 'has failed',
  REFUSED: 'was refused',
}

/** Detonations that automations asked for are told by those. */
const isToTell = sql`not r.is_told and r.outcome is distinct from 'CANCELLED'
  and (r.outcome = 'REFUSED' or t.state in ('FINISHED', 'FAILED', 'REFUSED'))`

const BATCH = 1000

async function tellOfEnds(server: Server): Promise<void> {
  const { rows: pending } = await sql`
    select from detonation_requesters as r join detonations as t on t.id = r.detonation where ${isToTell} limit 1`.execute(
    server.db,
  )
  if (pending.length === 0) return
  await server.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: string; detonation: string; user: number; depth: number }>`
      update detonation_requesters as r set is_told = true
      where r.id in (
        select r.id
        from detonation_requesters as r join detonations as t on t.id = r.detonation
        where ${isToTell}
        order by r.id
        limit ${BATCH}
        for update of r skip locked)
      returning r.id, r.detonation, r."user", r.depth`.execute(db)
    const told = rows.filter(({ depth }) => depth === 0)
    if (told.length === 0) return
    await tellOf({ ...server, db, caller: NOBODY, baseUrl: '' }, [
      {
        choice: 'detonation_ended',
        collection: 'detonations',
        permissions: ['read detonations'],
        concerned: sql`
          select i.about, i."user", null::integer as actor, 0 as write
          from unnest(${told.map(({ detonation }) => detonation)}::uuid[], ${told.map(({ user }) => user)}::integer[]) as i(about, "user")`,
        name: sql`coalesce((
          select nullif(r.filename, '') from detonation_requesters as r where r.detonation = o.id and r."user" = hearer.id), o.url, o.sha256)`,
        detail: sql`jsonb_build_object('kind', o.kind, 'state', coalesce((
          select r.outcome from detonation_requesters as r where r.detonation = o.id and r."user" = hearer.id), o.state))`,
        tell: ({ id, name, detail }) => {
          const { kind, state } = detail as { kind: string; state: string }
          // Programs for mail turn addresses into links.
          const shown = kind === 'url' ? defang('uri', name) : name
          return { text: `The detonation of ‘${shown}’ ${ENDS[state] ?? 'has ended'}.`, path: `/detonations/${id}` }
        },
      },
    ])
  })
}
