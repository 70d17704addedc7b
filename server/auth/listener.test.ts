import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { connect } from '../database.ts'
import { listen } from './listener.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

test('it listens with the password of a pool that was not opened by URL', async () => {
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

test('it hears of its channel only, and of every connection that it loses and finds again', async () => {
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
  await setTimeout(100)
  assert.equal(heard, 2)
  await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'`)
  await setTimeout(100)
  assert.deepEqual([listener.isListening(), heard], [false, 3])
  await setTimeout(1200)
  assert.deepEqual([listener.isListening(), heard], [true, 4])
  await listener.close()
  assert.equal(listener.isListening(), false)
})
