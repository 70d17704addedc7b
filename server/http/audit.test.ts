import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { pino } from 'pino'
import { createDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { makeId } from '../engine/ids.ts'
import { type AuditEntry, openAudit } from './audit.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

const entry = (path: string): AuditEntry => ({
  id: makeId(),
  at: new Date().toISOString(),
  user: null,
  method: 'GET',
  route: '/api/v2/tickets',
  path,
  status: 200,
  address: '::1',
  user_agent: '',
  milliseconds: 1,
})

/** A log that keeps its lines, and a database that can become unavailable. */
function world(most?: number) {
  const lines: { level: number; dropped?: number }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const state = { isAway: false, statements: 0 }
  const pool = {
    connect: async () => {
      if (state.isAway) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
      state.statements++
      return database.pool.connect()
    },
    end: async () => {},
  }
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as never }) })
  return { lines, state, audit: openAudit(db, log, most) }
}

const written = async (prefix: string): Promise<string[]> => {
  const { rows } = await sql<{ path: string }>`
    select path from audit_trail where path like ${`${prefix}%`} order by id`.execute(database.db)
  return rows.map(({ path }) => path)
}

test('many requests become one statement, which is written at the latest when the server stops', async () => {
  const { audit, state } = world()
  for (let i = 0; i < 300; i++) audit.note(entry(`/batch/${i}`))
  assert.equal(state.statements, 0)
  await audit.close()
  assert.equal(state.statements, 1)
  assert.equal((await written('/batch/')).length, 300)
})

test('a full batch is written at once, a partial one within about a second', async () => {
  const { audit } = world()
  for (let i = 0; i < 500; i++) audit.note(entry(`/soon/${i}`))
  await until(async () => (await written('/soon/')).length === 500, 'the full batch was not written')
  audit.note(entry('/later'))
  await until(async () => (await written('/later')).length === 1, 'the single entry was not written')
  await audit.close()
})

test('entries added during a write are included, and later ones are written too', async () => {
  const { audit, lines } = world()
  for (let i = 0; i < 500; i++) audit.note(entry(`/during/${i}`))
  // The write has started: this entry sets the timer, which finds nothing to do when it fires.
  audit.note(entry('/during/last'))
  await setTimeout(1200)
  audit.note(entry('/afterwards'))
  await audit.close()
  assert.equal((await written('/during/')).length, 501)
  assert.deepEqual(await written('/afterwards'), ['/afterwards'])
  assert.deepEqual(lines, [])
})

test('while the database is down entries wait, the oldest are dropped, and the log counts them', async () => {
  const { audit, state, lines } = world(100)
  state.isAway = true
  for (let i = 0; i < 150; i++) audit.note(entry(`/away/${String(i).padStart(3, '0')}`))
  await until(() => lines.length > 0, 'the failure was not logged')
  state.isAway = false
  await audit.close()
  const kept = await written('/away/')
  const lost = lines.reduce((sum, { dropped = 0 }) => sum + dropped, 0)
  assert.ok(kept.length >= 90 && kept.length <= 100, `${kept.length}`)
  assert.equal(kept.length + lost, 150)
  assert.equal(kept.at(-1), '/away/149')
})

test('entries that cannot be stored do not block later ones', async () => {
  const { audit, lines } = world()
  audit.note({ ...entry('/bad'), id: 'no-id' })
  await until(() => lines.length > 0, 'the lost entries were not logged')
  audit.note(entry('/good'))
  await audit.close()
  assert.deepEqual(await written('/good'), ['/good'])
  assert.ok(lines.some(({ dropped }) => dropped === 1))
})
