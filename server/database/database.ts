import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Lookup } from '../engine/context.ts'
import { StartError } from '../ports/start-error.ts'
import { withLookups } from './lookups.ts'
import { openShares } from './shares.ts'
import { openSideConnection, type SideConnection } from './side-connection.ts'

/**
 * The database as the rest of Corvus sees it: Kysely for statements, the pool for work that needs a dedicated
 * connection.
 */
export type Database = {
  // biome-ignore lint/suspicious/noExplicitAny: tables come from definitions at run time, there is no static schema
  db: Kysely<any>
  pool: pg.Pool
  lookup: Lookup
  /** A connection that never waits for the pool. */
  side: SideConnection
  /** The number of requests waiting for a pool connection. */
  waiting(): number
  close(): Promise<void>
}

/** Reserved for background work: five runs at a time, each with up to two connections. */
const BACKGROUND_CONNECTIONS = 10

/** Opens a pool whose sessions use UTC, have timeouts, and return values in their wire format. */
export function connect(
  connection: pg.PoolConfig,
  { poolSize, statementTimeoutMs, log }: { poolSize: number; statementTimeoutMs: number; log?: Logger },
): Database {
  const pids = new WeakMap<pg.ClientBase, number>()
  const open = (max: number): pg.Pool => {
    const pool = new pg.Pool({
      ...connection,
      application_name: 'corvus',
      max,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 60_000,
      connectionTimeoutMillis: 15_000,
      // A new connection costs a process and a password check.
      idleTimeoutMillis: 300_000,
      types: { getTypeParser },
      onConnect: async (client) => {
        pids.set(client, await prepareSession(client))
      },
    })
    pool.on('error', ({ message }) => {
      // `pool.end()` resolves before its connections have closed, and the database may still drop them.
      if (!pool.ending) log?.warn(`a database connection was lost: ${message}`)
    })
    return pool
  }
  const pool = open(poolSize)
  const side = openSideConnection(pool)
  const lanes = withLookups(pool, {
    background: open(BACKGROUND_CONNECTIONS),
    shares: openShares(poolSize),
    cancel: (client) => {
      side
        .query('select pg_cancel_backend($1)', [pids.get(client)])
        .catch(({ message }) => log?.warn(`cannot cancel an abandoned statement: ${message}`))
    },
  })
  // biome-ignore lint/suspicious/noExplicitAny: see Database
  const db = new Kysely<any>({ dialect: new PostgresDialect({ pool: lanes }) })
  const close = async () => {
    await side.close()
    await lanes.end()
  }
  return { db, pool, lookup: lanes.lookup, side, waiting: lanes.waiting, close }
}

/** Converts a timestamptz printed by a UTC session to the wire format: `2024-01-29T07:42:07.059329+00:00`. */
export function wireTime(text: string): string {
  if (text[10] !== ' ' || !text.endsWith('+00')) return text
  const fraction = text[19] === '.' ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(6, '0')}+00:00`
}

/**
 * Applies the pending migrations in one transaction and returns the names of their files. `last` stops at an older
 * version, which a restore needs.
 */
export async function migrate(pool: pg.Pool, directory: string, last = Number.POSITIVE_INFINITY): Promise<string[]> {
  const known = await readMigrations(directory)
  const client = await pool.connect()
  try {
    await client.query('begin')
    // Building an index on a large table may exceed the time limit for requests.
    await client.query('set local statement_timeout = 0')
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await createExtensions(client)
    const pending = (await findPending(client, known)).filter(({ number }) => number <= last)
    for (const migration of pending) await run(client, migration)
    await client.query('commit')
    client.release()
    return pending.map(({ name }) => name)
  } catch (error) {
    // Closing the connection rolls back any open transaction.
    client.release(true)
    throw error
  }
}

/** Returns the process id of the session's backend. */
async function prepareSession(client: pg.ClientBase): Promise<number> {
  // A dropped connection already rejects the running query; without a listener, the event would also end the process.
  client.on('error', () => {})
  // Not a start-up option: one in DATABASE_URL would replace it and change the format of times.
  const results: unknown = await client.query(
    `set timezone = 'UTC'; set datestyle = 'ISO'; set jit = off; select pg_backend_pid() as pid`,
  )
  // Several statements return several results, which the types of `pg` do not cover.
  return (results as pg.QueryResult<{ pid: number }>[]).at(-1)?.rows[0]?.pid ?? 0
}

const asText = (text: string) => text

const TEXT_ARRAY: number = 1009

// By type number. By default, `pg` turns times into Date (milliseconds, local zone) and int8 into a string.
const parsers = new Map<number, (text: string) => unknown>([
  [20, Number],
  [TEXT_ARRAY, readTexts],
  [1016, listOf(Number)],
  [1082, asText],
  [1182, listOf(asText)],
  [1114, asText],
  [1115, listOf(asText)],
  [1184, wireTime],
  [1185, listOf(wireTime)],
  [1186, asText],
  [1187, listOf(asText)],
])

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format)

/** Parses a text array. Most arrays contain no quotes or escapes and need no full parser. */
function readTexts(text: string): (string | null)[] {
  if (text === '{}') return []
  return /["\\{]|null/i.test(text.slice(1)) ? pg.types.getTypeParser(TEXT_ARRAY)(text) : text.slice(1, -1).split(',')
}

function listOf(parse: (text: string) => unknown) {
  return (text: string) => readTexts(text).map((item) => (item === null ? null : parse(item)))
}

type Migration = { number: number; name: string; sql: string; sha256: string }

const extensions = ['pg_trgm', 'fuzzystrmatch']

// An arbitrary constant that no other advisory lock in the database uses.
const MIGRATION_LOCK = 0x636f7277

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort()
  const migrations = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name), 'utf8')
      return { number: Number(name.slice(0, 4)), name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
  const twice = migrations.find(({ number }, at) => migrations[at - 1]?.number === number)
  if (twice) throw new StartError(`Two migrations share the number of ${twice.name}.`)
  return migrations
}

async function createExtensions(client: pg.PoolClient): Promise<void> {
  for (const name of extensions) {
    await client.query(`create extension if not exists ${name}`).catch((error) => {
      throw new StartError(
        `Corvus needs the PostgreSQL extension ${name} but may not create it (${error.message}). Ask an administrator to run "create extension ${name}" in its database.`,
      )
    })
  }
}

async function findPending(client: pg.PoolClient, known: Migration[]): Promise<Migration[]> {
  await client.query(
    `create table if not exists migrations (
       number int primary key,
       name text not null,
       sha256 text not null,
       applied_at timestamptz not null default now()
     )`,
  )
  const { rows: applied } = await client.query<Omit<Migration, 'sql'>>(
    'select number, name, sha256 from migrations order by number',
  )
  for (const { number, name, sha256 } of applied) {
    const file = known.find((migration) => migration.number === number)
    if (file === undefined) {
      throw new StartError(
        `The database is newer than this version of Corvus (it has migration ${name}). Start the newer version.`,
      )
    }
    if (file.sha256 !== sha256) {
      throw new StartError(
        `Migration ${file.name} was changed after it ran on this database. Restore the original file.`,
      )
    }
  }
  const done = new Set(applied.map(({ number }) => number))
  return known.filter(({ number }) => !done.has(number))
}

async function run(client: pg.PoolClient, { number, name, sql, sha256 }: Migration): Promise<void> {
  await client.query(sql).catch((error) => {
    throw new StartError(`Migration ${name} failed and was rolled back: ${error.message}.`)
  })
  await client.query('insert into migrations (number, name, sha256) values ($1, $2, $3)', [number, name, sha256])
}
