import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { toUrl } from '../../engine/reference.ts'
import { IS_COUNTED } from '../asking/usage.ts'

/** Months in UTC, both included, such as 2026-11. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** What requests of one kind used together. */
export interface Used {
  readonly requests: number
  readonly errors: number
  readonly prompt_tokens: number
  readonly answer_tokens: number
  readonly cost: number
}

export interface UsageRow extends Used {
  readonly month: string
  /** Null for others, unless the caller may change the configuration, and for deleted users. */
  readonly user: string | null
  readonly username: string | null
  readonly feature: string
  readonly provider: string
  readonly model: string
}

const SUMS = sql`
  count(*)::integer as requests,
  count(*) filter (where r.outcome = 'error')::integer as errors,
  sum(r.prompt_tokens)::double precision as prompt_tokens,
  sum(r.answer_tokens)::double precision as answer_tokens,
  sum(r.cost)::double precision as cost`

const inPeriod = ({ from, to }: Period) => sql<boolean>`
  r.created_at >= to_date(${from}, 'YYYY-MM')::timestamp at time zone 'UTC'
  and r.created_at < (to_date(${to}, 'YYYY-MM') + interval '1 month') at time zone 'UTC'
  and ${IS_COUNTED}`

/** The usage of all users. What single people do is shown to those who are responsible for the budgets, and to themselves. */
export async function readUsage(ctx: Context, period: Period): Promise<UsageRow[]> {
  const { caller, db, baseUrl } = ctx
  const who: RawBuilder<unknown> = caller.permissions.has('modify configurations')
    ? sql`r.user_id`
    : sql`case when r.user_id = ${caller.id} then r.user_id end`
  const { rows } = await sql<UsageRow & { user_id: number | null }>`
    select g.*, u.username
    from (
      select to_char(r.created_at at time zone 'UTC', 'YYYY-MM') as month, ${who} as user_id, r.feature, r.provider, r.model, ${SUMS}
      from ai_requests as r
      where ${inPeriod(period)}
      group by 1, 2, 3, 4, 5
    ) as g
    left join users as u on u.id = g.user_id
    order by g.month desc, u.username nulls last, g.feature, g.provider, g.model`.execute(db)
  return rows.map(({ user_id, ...row }) => ({
    ...row,
    user: user_id === null ? null : toUrl(baseUrl, 'users', user_id),
  }))
}

/** What the caller used of each provider this month. */
export async function readOwnUsage({ caller, db }: Context, month: string) {
  const { rows } = await sql<Used & { provider: string }>`
    select r.provider, ${SUMS}
    from ai_requests as r
    where r.user_id = ${caller.id} and ${inPeriod({ from: month, to: month })}
    group by 1`.execute(db)
  return rows
}
