import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { StartError } from '../ports/start-error.ts'
import { migrate, wireTime } from './database.ts'

let database: TestDatabase
let folder: string

before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

beforeEach(async () => {
  await database.pool.query('drop schema public cascade; create schema public')
  folder = await mkdtemp(join(tmpdir(), 'corvus-migrations-'))
})
afterEach(() => rm(folder, { recursive: true }))

const write = (name: string, sql: string) => writeFile(join(folder, name), sql)
const value = async (sql: string) => Object.values((await database.pool.query(sql)).rows[0])[0]

test('times have six digits and an offset of +00:00', () => {
  assert.equal(wireTime('2024-01-29 07:42:07+00'), '2024-01-29T07:42:07.000000+00:00')
  assert.equal(wireTime('2024-01-29 07:42:07.059+00'), '2024-01-29T07:42:07.059000+00:00')
  assert.equal(wireTime('2024-01-29 07:42:07.059329+00'), '2024-01-29T07:42:07.059329+00:00')
  assert.equal(wireTime('infinity'), 'infinity')
})

test('values are returned in their wire format', async () => {
  assert.equal(await value(`select '2024-01-29 08:42:07.5+01'::timestamptz`), '2024-01-29T07:42:07.500000+00:00')
  assert.deepEqual(await value(`select array['2024-01-29 07:42:07Z', null]::timestamptz[]`), [
    '2024-01-29T07:42:07.000000+00:00',
    null,
  ])
  assert.equal(await value('select count(*) from generate_series(1, 3)'), 3)
  assert.deepEqual(await value('select array[1, 2]::int8[]'), [1, 2])
  assert.equal(await value(`select '2024-01-29'::date`), '2024-01-29')
  assert.deepEqual(await value(`select '{"a": [1]}'::jsonb`), { a: [1] })
})

test('migrations run once, in numerical order', async () => {
  await write('0002_second.sql', 'insert into first values (2);')
  await write('0001_first.sql', 'create table first (n int); insert into first values (1);')
  await write('readme.txt', 'not a migration')
  assert.deepEqual(await migrate(database.pool, folder), ['0001_first.sql', '0002_second.sql'])
  assert.deepEqual(await migrate(database.pool, folder), [])
  assert.equal(await value('select count(*) from first'), 2)
})

test('extensions exist before the first migration', async () => {
  await write('0001_first.sql', `create table words as select similarity('corvus', 'corax') s, levenshtein('a', 'b') l`)
  await migrate(database.pool, folder)
})

test('processes that start at the same time run each migration once', async () => {
  await write('0001_first.sql', 'create table first (n int); select pg_sleep(0.2);')
  const ran = await Promise.all([1, 2, 3, 4].map(() => migrate(database.pool, folder)))
  assert.equal(ran.flat().length, 1)
})

test('a failing migration rolls back the whole run and is named in the error', async () => {
  await write('0001_first.sql', 'create table first (n int)')
  await write('0002_second.sql', 'create table second (n nonsense)')
  await assert.rejects(migrate(database.pool, folder), /^StartError: Migration 0002_second.sql failed .*nonsense/)
  assert.equal(await value(`select count(*) from pg_class where relname in ('first', 'migrations')`), 0)
})

test('a database newer than the code is refused', async () => {
  await write('0001_first.sql', 'create table first (n int)')
  await write('0002_second.sql', 'create table second (n int)')
  await migrate(database.pool, folder)
  await rm(join(folder, '0002_second.sql'))
  await assert.rejects(migrate(database.pool, folder), /^StartError: The database is newer than this version of Corvus/)
})

test('a migration that changed after it ran is refused', async () => {
  await write('0001_first.sql', 'create table first (n int)')
  await migrate(database.pool, folder)
  await write('0001_first.sql', 'create table first (n int8)')
  await assert.rejects(migrate(database.pool, folder), StartError)
})

test('a dropped connection does not end the process, and the pool recovers', async () => {
  const { pool } = database
  const busy = await pool.connect()
  await pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await assert.rejects(busy.query('select 1'))
  busy.release(true)
  assert.equal(await value('select 1'), 1)
})
