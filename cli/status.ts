import type { Kysely } from 'kysely'
import { countRuns, longestWait } from '../server/background/counts.ts'
import { readFollowerStatus } from '../server/background/followers/follower-status.ts'
import { type Config, version } from '../server/config.ts'
import { followers } from '../server/followers.ts'
import { withDatabase } from './installation.ts'

/** An overview for operators: versions, database, users, waiting work. */
export function status(): Promise<Record<string, unknown>> {
  return withDatabase(async ({ db, pool, config, isEmbedded }) => {
    const server = await answerOf(config)
    const about = await pool.query(`
      select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size,
        to_regclass('public.migrations') is not null as is_migrated`)
    const { version: database, size, is_migrated } = about.rows[0]
    const base = { version, server, database: `PostgreSQL ${database}${isEmbedded ? ', embedded' : ''}, ${size}` }
    if (!is_migrated) return { ...base, migrations: 'none yet: start Corvus once' }
    const counts = await pool.query(`
      select (select max(number) from migrations) as migration,
        (select count(*) from users where is_active) as users,
        (select count(*) from sessions where expires_at > now()) as sessions,
        (select count(*) from tokens where expires_at is null or expires_at > now()) as tokens`)
    const { migration, users, sessions, tokens } = counts.rows[0]
    return {
      ...base,
      migration,
      active_users: users,
      sessions,
      tokens,
      task_runs: await countRuns(db),
      longest_wait_seconds: Math.round(await longestWait(db)),
      followers: await followersOf(db),
    }
  })
}

/** The followers of the change log by name; null for the database of an older version. */
async function followersOf(db: Kysely<unknown>): Promise<Record<string, unknown> | null> {
  const all = await readFollowerStatus(db, followers).catch((error) => {
    if (['42P01', '42703'].includes(error.code)) return null
    throw error
  })
  return (
    all &&
    Object.fromEntries(
      all.map(({ name, position, pending_changes, lag_seconds, failures, last_error }) => [
        name,
        { position, pending_changes, lag_seconds: Math.round(lag_seconds), failures, last_error },
      ]),
    )
  )
}

async function answerOf({ host, port }: Config): Promise<string> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2000) }).catch(() => null)
  if (!answer) return 'not running'
  return answer.ok ? `running at ${url}` : `at ${url}, but not ready`
}
