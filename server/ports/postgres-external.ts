import pg from 'pg'
import { StartError } from './start-error.ts'

const MIN_VERSION = 150_000
const needed = ['pg_trgm', 'fuzzystrmatch']

/** The properties of a server that are checked first. */
export type Facts = {
  number: number
  version: string
  encoding: string
  is_standby: boolean
  may_create: boolean
  extensions: string[]
}

/** Checks the operator's own PostgreSQL before anything is written to it. */
export async function openExternal(databaseUrl: string) {
  const connection = { connectionString: asLibpq(databaseUrl) }
  const client = makeClient(connection.connectionString)
  try {
    await client.connect()
    await check(client)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(explain(error as NodeJS.ErrnoException, client))
  } finally {
    await client.end().catch(() => {})
  }
  return { connection, isEmbedded: false, stop: async () => {} }
}

/** Returns one sentence that says why Corvus cannot use this server, or undefined. */
export function faultOf({ number, version, encoding, is_standby, may_create, extensions }: Facts): string | undefined {
  if (number < MIN_VERSION)
    return `Corvus needs PostgreSQL 15 or newer, but DATABASE_URL points to PostgreSQL ${version}.`
  if (encoding !== 'UTF8')
    return `Corvus needs a database with encoding UTF8, but DATABASE_URL points to one with ${encoding}.`
  if (is_standby) return 'DATABASE_URL points to a read-only standby. Use the address of the primary server.'
  if (!may_create) return 'The user in DATABASE_URL may not create tables. Make it the owner of the database.'
  const missing = needed.filter((name) => !extensions.includes(name))
  if (missing.length === 0) return undefined
  return `PostgreSQL lacks the extension ${missing.join(' and ')}. Install it on the server in DATABASE_URL (package postgresql-contrib).`
}

/**
 * Gives `sslmode` the meaning it has in psql and in providers' instructions; `pg` alone treats "require" as
 * "verify-full".
 */
function asLibpq(databaseUrl: string): string {
  if (!/[?&]sslmode=/.test(databaseUrl) || /[?&]uselibpqcompat=/.test(databaseUrl)) return databaseUrl
  return `${databaseUrl}&uselibpqcompat=true`
}

function makeClient(connectionString: string): pg.Client {
  try {
    const client = new pg.Client({ connectionString, application_name: 'corvus', connectionTimeoutMillis: 10_000 })
    client.on('error', () => {})
    return client
  } catch (error) {
    // The URL is malformed, or names a certificate file that does not exist.
    throw new StartError(`DATABASE_URL cannot be used: ${(error as Error).message}.`)
  }
}

async function check(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Facts>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
       current_setting('server_encoding') as encoding, pg_is_in_recovery() as is_standby,
       coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
       array(select name::text from pg_available_extensions where name = any($1)) as extensions`,
    [needed],
  )
  const fault = rows[0] && faultOf(rows[0])
  if (fault !== undefined) throw new StartError(fault)
}

function explain(error: NodeJS.ErrnoException, { host, port, user, database }: pg.Client): string {
  const place = host.startsWith('/') ? host : `${host}:${port}`
  switch (error.code) {
    case '28P01':
    case '28000':
      return `PostgreSQL at ${place} rejects the user "${user}" in DATABASE_URL: ${error.message}.`
    case '3D000':
      return `PostgreSQL at ${place} has no database "${database}". Create it or correct DATABASE_URL.`
    case '42501':
      return `PostgreSQL at ${place} does not let the user "${user}" use the database "${database}": ${error.message}.`
    default:
      return `PostgreSQL at ${place} cannot be reached with DATABASE_URL: ${error.code ? `${error.message} (${error.code})` : error.message}.`
  }
}
