import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { refuseFlood } from './rate-limits.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

/** Calls from an address until it is refused, and returns the number of accepted calls. */
async function untilRefused(method: 'GET' | 'POST', url: string, remoteAddress: string, payload?: object) {
  for (let n = 0; ; n++) {
    const answer = await corvus.app.inject({
      method,
      url: `/api/v2/${url}`,
      remoteAddress,
      ...(payload && { payload }),
    })
    if (answer.statusCode !== 429) continue
    const seconds = Number(answer.headers['retry-after'])
    assert.ok(seconds > 0 && seconds <= 600, `Retry-After: ${seconds}`)
    assert.match(answer.json()[0].detail, /^Too many requests from your address\. Try again in \d+ seconds\.$/)
    return n
  }
}

/** On a slow machine, a minute would pass before the limit is reached. */
const holdClock = (t: TestContext) => t.mock.timers.enable({ apis: ['Date'], now: Date.now() })

test('requesting links, redeeming them and signing in are rate-limited per address', async (t) => {
  holdClock(t)
  const forgot = { data: { username: 'ada' } }
  const redeem = { data: { token: 'x', password: 'Correct horse 1!' } }
  for (const [method, url, payload, most] of [
    ['POST', 'session/forgot-password', forgot, 20],
    ['GET', 'session/oidc/start', undefined, 120],
    ['POST', 'session/password-reset', redeem, 60],
    ['POST', 'session', { data: { username: 'ada', password: 'wrong' } }, 120],
  ] as const) {
    assert.equal(await untilRefused(method, url, '10.1.1.1', payload), most, url)
    const other = await corvus.app.inject({
      method,
      url: `/api/v2/${url}`,
      remoteAddress: '10.1.1.2',
      ...(payload && { payload }),
    })
    assert.notEqual(other.statusCode, 429, `${url} from another address`)
  }
})

test('passwords sent with requests count as sign-in attempts', async (t) => {
  holdClock(t)
  const tryPassword = (n: number, remoteAddress: string) => {
    const authorization = `Basic ${Buffer.from(`ada:wrong ${n}`).toString('base64')}`
    return corvus.app.inject({ url: '/taxii2/', headers: { authorization }, remoteAddress })
  }
  for (let n = 0; n < 120; n++) assert.equal((await tryPassword(n, '10.1.1.3')).statusCode, 401)
  const refused = await tryPassword(120, '10.1.1.3')
  assert.equal(refused.statusCode, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await tryPassword(120, '10.1.1.4')).statusCode, 401)
})

test('addresses in one IPv6 network share a limit, IPv4 addresses do not', () => {
  const server = { vault: { seal: String, open: String } }
  const limit = { most: 2, seconds: 60 }
  const ask = (address: string) => refuseFlood(server, limit, { address })
  ask('2001:db8:1:2:3::4')
  ask('2001:db8:1:2::9')
  assert.throws(() => ask('2001:db8:1:2:ffff:ffff:ffff:ffff'), { status: 429 })
  ask('2001:db8:1:3::1')
  for (const last of [1, 2, 3]) ask(`::ffff:10.0.0.${last}`)
})

test('a limit resets after its period, and the number of tracked addresses is bounded', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 0 })
  const server = { vault: { seal: String, open: String } }
  const limit = { most: 1, seconds: 60 }
  const ask = (address: string) => refuseFlood(server, limit, { address })
  ask('10.0.0.1')
  assert.throws(() => ask('10.0.0.1'), { status: 429, retryAfter: 60 })
  t.mock.timers.tick(60_001)
  ask('10.0.0.1')
  for (let n = 0; n < 10_000; n++) ask(`10.1.${n >> 8}.${n & 255}`)
  assert.doesNotThrow(() => ask('10.0.0.1'), 'the oldest address was dropped')
  assert.throws(() => ask('10.1.39.15'), { status: 429 })
})
