import { type Kysely, sql } from 'kysely'

/** How many runs are in each state: the open ones now, the ended ones of the last hour. */
export async function countRuns(db: Kysely<unknown>): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*) as count
    from task_runs
    where ended_at is null or ended_at > now() - interval '1 hour'
    group by state`.execute(db)
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}

/** How long the oldest run has been waiting for a worker, in seconds. */
export async function longestWait(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
    from task_runs
    where ended_at is null and state in ('PENDING', 'SENT')`.execute(db)
  return rows[0]?.seconds ?? 0
}
