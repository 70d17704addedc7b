import { sql } from 'kysely'
import { defang } from '../../../domain/observables/defang.ts'
import { tellOf } from '../../../mail/hearers.ts'
import { tellOnce } from '../../../mail/tell-once.ts'
import type { Server } from '../../../server.ts'

const ENDS: Readonly<Record<string, string>> = {
  FINISHED: 'has finished: its report is there',
  FAILED: 'has failed',
  REFUSED: 'was refused',
}

/** Detonations that automations asked for are told by those. */
const isToTell = sql`not r.is_told and r.outcome is distinct from 'CANCELLED'
  and (r.outcome = 'REFUSED' or t.state in ('FINISHED', 'FAILED', 'REFUSED'))`

const BATCH = 1000

/** Notifies requesters of detonations that have ended. */
export async function notifyOfEnds(server: Server): Promise<void> {
  const pending = sql`
    select from detonation_requesters as r join detonations as t on t.id = r.detonation where ${isToTell} limit 1`
  await tellOnce(server, pending, async (ctx) => {
    const { rows } = await sql<{ id: string; detonation: string; user: number; depth: number }>`
      update detonation_requesters as r set is_told = true
      where r.id in (
        select r.id
        from detonation_requesters as r join detonations as t on t.id = r.detonation
        where ${isToTell}
        order by r.id
        limit ${BATCH}
        for update of r skip locked)
      returning r.id, r.detonation, r."user", r.depth`.execute(ctx.db)
    const told = rows.filter(({ depth }) => depth === 0)
    if (told.length === 0) return
    await tellOf(ctx, [
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
