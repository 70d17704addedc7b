import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { connect } from '../../database/database.ts'
import { listen } from './listener.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

test('the listener uses the password of a pool that was not opened by URL', async () => {
  const url = new URL(database.url)
  const parts = {
    host: url.searchParams.get('host') ?? url.hostname,
    user: url.username,
    password: url.password,
    database: url.pathname.slice(1),
  }
  const { pool, close } = connect(parts, { poolSize: 1, statementTimeoutMs: 0 })
  const listener = await listen(pool, 'somewhere', () => {}, log)
  assert.equal(listener.isListening(), true)
  await listener.close()
  await close()
})

test('the listener receives its own channel only, and reports every lost and restored connection', async () => {
  let heard = 0
  const listener = await listen(
    database.pool,
    'somewhere',
    () => {
      heard++
    },
    log,
  )
  assert.equal(heard, 1)
  await database.pool.query('notify somewhere')
  await database.pool.query('notify elsewhere')
  // Notifications arrive in order: once this one is here, both earlier ones were delivered.
  await database.pool.query('notify somewhere')
  await until(() => heard === 3, 'the notification did not arrive')
  await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'`)
  await until(() => !listener.isListening(), 'the lost connection was not noticed')
  assert.equal(heard, 4)
  await until(() => listener.isListening(), 'the connection was not restored')
  assert.equal(heard, 5)
  await listener.close()
  assert.equal(listener.isListening(), false)
})
