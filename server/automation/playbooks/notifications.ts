import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { tellOf } from '../../mail/hearers.ts'
import { quoted } from '../../mail/quoted.ts'
import { markTold, tellOnce } from '../../mail/tell-once.ts'
import type { Server } from '../../server.ts'

const BATCH = 1000

interface Failure {
  readonly playbook: number
  readonly count: number
}

/** Notifies the owners of playbooks of failed runs and pauses. */
export async function notifyOfFailures(server: Server): Promise<void> {
  const pending = sql`
    select from playbook_runs where not is_told
    union all
    select from playbooks where not is_pause_told
    limit 1`
  await tellOnce(server, pending, async (ctx) => {
    const { rows: failures } = await sql<Failure>`
      with told as (
        update playbook_runs set is_told = true
        where id in (select id from playbook_runs where not is_told limit ${BATCH} for update skip locked)
        returning playbook
      )
      select playbook, count(*)::integer as count from told group by playbook order by playbook`.execute(ctx.db)
    await tellOwners(ctx, failures, await markTold(ctx.db, 'playbooks', 'is_pause_told'))
  })
}

const about = { collection: 'playbooks' as const, permissions: ['read playbooks'], name: sql`o.name` }

async function tellOwners(ctx: Context, failures: readonly Failure[], pauses: readonly number[]): Promise<void> {
  await tellOf(ctx, [
    {
      ...about,
      choice: 'playbook_failed',
      concerned: sql`
        select p.id as about, p.owner as "user", null::integer as actor, 0 as write, i.count
        from unnest(${failures.map(({ playbook }) => playbook)}::integer[], ${failures.map(({ count }) => count)}::integer[]) as i(playbook, count)
        join playbooks as p on p.id = i.playbook`,
      detail: sql`c.count`,
      tell: ({ id, name, detail }) => ({
        text: `${detail === 1 ? 'A run' : `${detail} runs`} of the playbook ${quoted(name)} failed.`,
        path: `/playbooks/${id}`,
      }),
    },
    {
      ...about,
      choice: 'playbook_paused',
      concerned: sql`
        select p.id as about, p.owner as "user", null::integer as actor, 1 as write
        from playbooks as p where p.id = any(${pauses}::integer[])`,
      tell: ({ id, name }) => ({
        text: `The playbook ${quoted(name)} is paused, because it failed repeatedly. Correct it, then save or resume it.`,
        path: `/playbooks/${id}`,
      }),
    },
  ])
}
