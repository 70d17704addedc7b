import { sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { holdsKey } from '../../../identity/access/sight.ts'
import { type Asked, keyOf } from '../../detonators/detonations/ask.ts'
import { UNDER_WAY } from '../../detonators/detonations/states.ts'

/** How a detonation stands, as far as the caller may know. */
export interface Detonation {
  readonly id: string
  readonly state: string
  readonly reason: string | null
  /** Null while there is none, or if the caller does not see the report. */
  readonly verdict: string | null
  readonly isUnderWay: boolean
}

const COLUMNS = (ctx: Context) => sql`
  t.id, coalesce(r.outcome, t.state) as state, case when r.outcome is null then t.state_reason else r.reason end as reason,
  case when ${holdsKey(ctx, sql`t.vis`)} then t.verdict end as verdict,
  coalesce(r.outcome, t.state) = any(${[...UNDER_WAY]}::text[]) as "isUnderWay"`

/** The detonations that the caller asked for. */
export async function readDetonations(ctx: Context, ids: readonly string[]): Promise<Detonation[]> {
  const { rows } = await sql<Detonation>`
    select ${COLUMNS(ctx)}
    from detonations as t
    join detonation_requesters as r on r.detonation = t.id and r."user" = ${ctx.caller.id}
    where t.id = any(${ids}::uuid[])
    order by t.id`.execute(ctx.db)
  return rows
}

/** The latest valid results for samples that the caller sees, even if another user asked for them. */
export async function storedResults(ctx: Context, asked: readonly Asked[]): Promise<Detonation[]> {
  const keys = asked.map(({ detonator, sample, options }) => ({ detonator, key: keyOf(sample, options) }))
  const { rows } = await sql<Detonation>`
    select distinct on (t.detonator, t.key) ${COLUMNS(ctx)}
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as i(detonator integer, key text)
    join detonations as t on t.detonator = i.detonator and t.key = i.key
    left join detonation_requesters as r on r.detonation = t.id and r."user" = ${ctx.caller.id}
    where t.state = 'FINISHED' and t.expires_at > now() and ${holdsKey(ctx, sql`t.vis`)}
    order by t.detonator, t.key, t.finished_at desc`.execute(ctx.db)
  return rows
}
