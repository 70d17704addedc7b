import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { connect, type Database } from '../server/database/database.ts'

/** The password of the administrator in every test database. */
export const adminPassword = 'correct horse battery staple'

/** The database that `npm test` migrates once and all others are copied from. */
export const template = 'corvus_template'

/** The database of a test file. */
export type TestDatabase = Omit<Database, 'close'> & { url: string; drop(): Promise<void> }

/** Copies the migrated and seeded template. Call `drop` when the file is done. */
export async function createDatabase(): Promise<TestDatabase> {
  const server = process.env.CORVUS_TEST_DATABASE_URL
  if (server === undefined) {
    throw new Error('This test needs the PostgreSQL of the test command: run "npm test -- path/to/the/file.test.ts".')
  }
  const name = `test_${randomBytes(6).toString('hex')}`
  // Copying files takes two thirds of the time of the default, which copies blocks through the write-ahead log.
  await run(server, `create database ${name} template ${template} strategy file_copy`)
  const url = server.replace('/postgres?', `/${name}?`)
  const opened = openDatabase(url)
  const drop = async () => {
    await opened.drop()
    await run(server, `drop database ${name} with (force)`)
  }
  return { ...opened, drop }
}

/** Opens the database of another test application, which drops it. */
export function openDatabase(url: string): TestDatabase {
  const { close, ...database } = connect({ connectionString: url }, { poolSize: 5, statementTimeoutMs: 30_000 })
  return { ...database, url, drop: close }
}

/** The address of the server's maintenance database, for DATABASE_URL and for `createDatabase`. */
export function serverUrl({ host, user, password }: pg.PoolConfig): string {
  return `postgresql://${user}:${password}@localhost/postgres?host=${encodeURIComponent(host ?? '')}`
}

async function run(connectionString: string, statement: string): Promise<void> {
  const { pool, close } = connect({ connectionString }, { poolSize: 1, statementTimeoutMs: 0 })
  try {
    await pool.query(statement)
  } finally {
    await close()
  }
}
