import { type Kysely, sql } from 'kysely'
import { HORIZON } from './change-log.ts'
import type { Follower } from './follower.ts'

/** How far a follower has come; of one with many owners, the owner that is furthest behind. */
export interface FollowerStatus {
  readonly name: string
  /** The number of active owners, or 1 for a follower without owners. */
  readonly instances: number
  /** The id of the last change that it has begun or finished; null without instances. */
  readonly position: number | null
  readonly pending_changes: number
  readonly lag_seconds: number
  /** Failed attempts since the last success. */
  readonly failures: number
  readonly last_error: string | null
  readonly last_failed_at: string | null
}

/** Pending changes are counted up to this number, so that reading the status stays fast. */
export const MAX_PENDING_COUNTED = 10_000

/** Reads the position, lag and last error of each follower. */
export async function readFollowerStatus(
  db: Kysely<unknown>,
  followers: readonly Pick<Follower, 'name' | 'due'>[],
): Promise<FollowerStatus[]> {
  const isActive = followers.map(({ name, due = sql`true` }) => sql`(f.name = ${name} and ${due})`)
  const { rows } = await sql<Omit<FollowerStatus, 'instances'>>`
    select f.name, f.change as position, p.pending_changes, p.lag_seconds, f.failures, f.last_error,
      f.failed_at as last_failed_at
    from followers as f
    left join changes as place on place.id = f.change
    cross join lateral (
      select count(*)::integer as pending_changes,
        coalesce(greatest(extract(epoch from now() - min(c.at)), 0), 0)::float8 as lag_seconds
      from (
        select c.at
        from changes as c
        where (c.xact, c.id) >= (coalesce(place.xact, -9223372036854775808), coalesce(place.id, 0)) and c.xact < ${HORIZON}
          and (c.id <> f.change or cardinality(c.ids) > f.item)
        order by c.xact, c.id
        limit ${MAX_PENDING_COUNTED}
      ) as c
    ) as p
    where ${sql.join(isActive, sql` or `)}
    order by p.lag_seconds desc, f.failures desc`.execute(db)
  return followers.map(({ name }) => {
    const own = rows.filter((row) => row.name === name)
    const failed = own.find(({ last_error }) => last_error !== null)
    const { position = null, pending_changes = 0, lag_seconds = 0 } = own[0] ?? {}
    return {
      name,
      instances: own.length,
      position,
      pending_changes,
      lag_seconds,
      failures: Math.max(0, ...own.map(({ failures }) => failures)),
      last_error: failed?.last_error ?? null,
      last_failed_at: failed?.last_failed_at ?? null,
    }
  })
}
