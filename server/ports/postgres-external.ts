import pg from 'pg'
import { StartError } from './start-error.ts'

const OLDEST = 150_000
const needed = ['pg_trgm', 'fuzzystrmatch']

/** What is asked of a server before anything else. */
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

/** Says in one sentence why Corvus cannot work with such a server, if it cannot. */
export function faultOf({ number, version, encoding, is_standby, may_create, extensions }: Facts): string | undefined {
  if (number < OLDEST) return `Corvus needs PostgreSQL 15 or newer, but DATABASE_URL leads to PostgreSQL ${version}.`
  if (encoding !== 'UTF8')
    return `Corvus needs a database with encoding UTF8, but that of DATABASE_URL has ${encoding}.`
  if (is_standby) return 'DATABASE_URL leads to a read-only standby: use the address of the primary server.'
  if (!may_create) return 'The user of DATABASE_URL may not create tables: make it the owner of the database.'
  const missing = needed.filter((name) => !extensions.includes(name))
  if (missing.length === 0) return undefined
  return `PostgreSQL lacks the extension ${missing.join(' and ')}: install it on the server that DATABASE_URL leads to (package postgresql-contrib).`
}

/** The address with `sslmode` meaning what it means to psql and in every provider's instructions; `pg` alone takes "require" as "verify-full". */
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
    // An address that cannot be read, or a certificate named in it that is not there.
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
      return `PostgreSQL at ${place} refuses the user "${user}" of DATABASE_URL: ${error.message}.`
    case '3D000':
      return `PostgreSQL at ${place} has no database "${database}": create it or correct DATABASE_URL.`
    case '42501':
      return `PostgreSQL at ${place} does not let the user "${user}" use the database "${database}": ${error.message}.`
    default:
      return `PostgreSQL at ${place} cannot be reached with DATABASE_URL: ${error.code ? `${error.message} (${error.code})` : error.message}.`
  }
}
