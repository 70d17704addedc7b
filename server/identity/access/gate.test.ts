import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { startApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { buildApp } from '../../app.ts'
import { isWrite, type Route } from '../../engine/route.ts'
import { routes } from '../../registry.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let other: FastifyInstance
/** The log lines of the other process. */
const lines: string[] = []
before(async () => {
  corvus = await startApp()
  other = await buildApp({
    ...corvus,
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  })
})
after(async () => {
  await other.close()
  await corvus.stop()
})

const authorised = (authorization: string) =>
  ({ method: 'GET', url: '/api/v2/users/self', headers: { authorization } }) as const

/** Calls the other process until it responds with this status. */
async function becomes(token: string, url: string, status: number): Promise<void> {
  const ask = async () => (await other.inject({ ...authorised(`Bearer ${token}`), url: `/api/v2/${url}` })).statusCode
  await until(async () => (await ask()) === status, `the response did not become ${status}`)
}

/** Counts the statements that the gate needs to authenticate this token. */
async function countQueries(token: string): Promise<number> {
  let count = 0
  const connect = corvus.pool.connect
  corvus.pool.connect = ((...args: Parameters<typeof connect>) => {
    count++
    return connect.apply(corvus.pool, args)
  }) as typeof connect
  await corvus.call('GET', 'session', undefined, token)
  corvus.pool.connect = connect
  return count
}

test('the scheme is case-insensitive, and anything but a valid token is a 401', async () => {
  const token = await corvus.tokenFor([])
  for (const scheme of ['Bearer', 'bearer', 'BEARER ', 'Token', 'token', 'TOKEN ']) {
    assert.equal((await corvus.app.inject(authorised(`${scheme} ${token}`))).statusCode, 200, scheme)
  }
  const bad = [
    '',
    'Bearer',
    `Basic ${token}`,
    token,
    `Bearer ${token}x`,
    `Bearer cvs_${'A'.repeat(43)}`,
    'Bearer a b',
    'Token',
    `Tokens ${token}`,
    `Token token=${token}`,
    `Token ${token}x`,
  ]
  for (const authorization of bad) {
    const answer = await corvus.app.inject(authorised(authorization))
    assert.deepEqual(answer.json(), [
      { status: 401, title: 'Unauthorized', detail: 'A valid token or session is needed.' },
    ])
  }
})

test('a session cookie does not make up for an invalid token', async () => {
  const headers = { authorization: 'Bearer wrong', cookie: `corvus_session=${'A'.repeat(43)}` }
  const answer = await corvus.app.inject({ method: 'GET', url: '/api/v2/session', headers })
  assert.equal(answer.statusCode, 401)
})

test('authenticating costs a query the first time, and none after that', async () => {
  const token = await corvus.tokenFor([])
  assert.ok((await countQueries(token)) >= 1)
  // The gate may still be waiting for the notification about the new role, and it records the use of the token once
  // in the background.
  await until(async () => (await countQueries(token)) === 0, 'every call still costs a query')
})

test('unknown tokens are not cached', async () => {
  const token = `cvs_${'B'.repeat(43)}`
  assert.equal((await corvus.app.inject(authorised(`Bearer ${token}`))).statusCode, 401)
  // The use of another token may be recorded at the same time.
  assert.ok((await countQueries(token)) >= 1)
})

test('a token stops working when it expires, even while cached', async () => {
  const token = await corvus.tokenFor([])
  await corvus.pool.query(`
    update tokens set expires_at = now() + interval '1 hour' where id = (select max(id) from tokens)`)
  assert.equal((await corvus.call('GET', 'users/self', undefined, token)).status, 200)
  await until(async () => (await countQueries(token)) === 0, 'the token is not cached')
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
  try {
    assert.equal((await corvus.call('GET', 'users/self', undefined, token)).status, 401)
  } finally {
    mock.timers.reset()
  }
})

test('a change in one process reaches the other at once', async () => {
  const token = await corvus.tokenFor([])
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const role = (await corvus.call('GET', 'roles?filter[name]=Threat Analyst')).body.data[0].id
  await becomes(token, 'tickets', 403)
  await corvus.call('PUT', `users/${id}/roles/${role}`)
  await becomes(token, 'tickets', 200)
  await corvus.call('PATCH', `roles/${role}`, { data: { permissions: [] } })
  await becomes(token, 'tickets', 403)
  await corvus.call('PATCH', `users/${id}`, { data: { is_active: false } })
  await becomes(token, 'users/self', 401)
  await corvus.call('PATCH', `users/${id}`, { data: { is_active: true } })
  await becomes(token, 'users/self', 200)
  await corvus.pool.query('delete from tokens where user_id = $1', [id])
  await becomes(token, 'users/self', 401)
})

test('an inactive user is refused, a locked one keeps their API tokens', async () => {
  const token = await corvus.tokenFor([])
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  await corvus.call('PATCH', `users/${id}`, { data: { is_locked: true } })
  assert.equal((await corvus.call('GET', 'users/self', undefined, token)).status, 200)
  await corvus.call('PATCH', `users/${id}`, { data: { is_active: false } })
  assert.equal((await corvus.call('GET', 'users/self', undefined, token)).status, 401)
})

test('nothing is cached while notifications are lost; caching resumes afterwards', async () => {
  const token = await corvus.tokenFor([])
  await becomes(token, 'users/self', 200)
  await corvus.pool.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where query ilike 'listen%' and datname = current_database()`)
  await until(
    () => lines.some((line) => line.includes('notifications on callers are lost')),
    'the lost connection was not noticed',
  )
  await corvus.pool.query(`alter table tokens disable trigger forget`)
  await corvus.pool.query('delete from tokens where id = (select max(id) from tokens)')
  const answer = await other.inject(authorised(`Bearer ${token}`))
  assert.equal(answer.statusCode, 401)
  await corvus.pool.query(`alter table tokens enable trigger forget`)
  const listening = `select count(*) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`
  await until(
    async () => (await corvus.pool.query(listening)).rows[0].count >= 2,
    'not all processes are listening again',
  )
})

test('the last use of a token is recorded outside its request', async () => {
  const token = await corvus.tokenFor([])
  await Promise.all([1, 2, 3].map(() => corvus.call('GET', 'users/self', undefined, token)))
  const lastUse = `
    select last_used_at > now() - interval '1 hour' as is_recent from tokens where id = (select max(id) from tokens)`
  await until(async () => (await corvus.pool.query(lastUse)).rows[0].is_recent, 'the last use was not recorded')
})

test('pending last-use records are written when the process ends', async () => {
  const token = await corvus.tokenFor([])
  const short = await buildApp({ ...corvus, log: pino({ level: 'silent' }) })
  await short.inject(authorised(`Bearer ${token}`))
  await short.close()
  const { rows } = await corvus.pool.query('select last_used_at from tokens where id = (select max(id) from tokens)')
  assert.notEqual(rows[0].last_used_at, null)
})

const named = ({ method, path }: Route): string => `${method} ${path}`

/** The gate is not asked about public routes. */
const guarded = routes.filter(({ permission }) => permission !== 'public')

test('every write to accounts, groups, roles, sessions and settings makes the gate read callers again', () => {
  const isAboutCallers = /^\/(users|user-identities|groups|roles|session|configurations)\b/
  assert.deepEqual(
    guarded.filter(({ changesCallers }) => changesCallers).map(named),
    guarded
      .filter((route) => isWrite(route) && isAboutCallers.test(route.path))
      .map(named)
      // It asks a provider, and changes nothing.
      .filter((name) => name !== 'POST /configurations/ai/test'),
  )
})

test('a session with limits may do what lifts them, and sign out', () => {
  assert.deepEqual(
    guarded
      .filter(({ liftsLimits }) => liftsLimits)
      .map(named)
      .sort(),
    [
      'DELETE /session',
      'DELETE /users/self/two-factor',
      'GET /session',
      'GET /users/self',
      'PATCH /users/self',
      'POST /session/code',
      'POST /users/self/password',
      'POST /users/self/two-factor',
      'POST /users/self/two-factor/confirm',
    ],
  )
})
