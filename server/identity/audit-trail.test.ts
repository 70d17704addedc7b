import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../test/app.ts'
import { adminPassword } from '../../test/database.ts'
import { until } from '../../test/until.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

type Entry = Record<string, unknown>

/** Returns the audit entry of the request whose id is in the response headers. */
const entryOf = (headers: Record<string, unknown>): Promise<Entry> =>
  until(async () => {
    const { status, body } = await corvus.call('GET', `audit-trail/${headers['x-request-id']}`)
    return status === 200 ? (body.data as Entry) : undefined
  }, 'the request is not in the audit trail')

test('an entry carries the request id from the response and omits the query string', async () => {
  const token = await corvus.tokenFor(['read tickets'])
  const asked = await corvus.call('GET', 'tickets?filter[name]=hush&api_key=hush', undefined, token, {
    'user-agent': `curl ${'x'.repeat(2000)}`,
  })
  const entry = await entryOf(asked.headers)
  assert.deepEqual(Object.keys(entry), [
    ...['id', 'at', 'user', 'username', 'method', 'route', 'path', 'status', 'address', 'user_agent', 'milliseconds'],
  ])
  assert.match(String(entry.user), new RegExp(`^${BASE}/api/v2/users/\\d+$`))
  assert.match(String(entry.username), /^user-/)
  assert.equal(entry.method, 'GET')
  assert.equal(entry.path, '/api/v2/tickets')
  assert.equal(entry.route, '/api/v2/tickets')
  assert.equal(entry.status, 200)
  assert.equal(entry.address, '127.0.0.1')
  assert.equal(String(entry.user_agent).length, 300)
  assert.ok(Number(entry.milliseconds) > 0)
  assert.ok(Math.abs(Date.now() - Date.parse(String(entry.at))) < 10_000)
  assert.ok(!JSON.stringify(entry).includes('hush'))
  assert.ok(!JSON.stringify(entry).includes(token))
})

test('rejected requests are recorded too: no token, no permission, unknown path, unsupported method, missing object', async () => {
  const token = await corvus.tokenFor([])
  const cases = [
    [await corvus.call('GET', 'tickets', undefined, null), 401, false],
    [await corvus.call('GET', 'tickets', undefined, token), 403, true],
    [await corvus.call('GET', 'nowhere'), 404, false],
    [await corvus.call('GET', '/private/nowhere'), 404, false],
    [await corvus.call('PATCH', 'tickets', {}), 405, false],
    [await corvus.call('GET', 'tickets/424242'), 404, true],
    [await corvus.call('POST', 'tickets', '{'), 400, true],
  ] as const
  for (const [{ status, headers }, expected, isKnown] of cases) {
    assert.equal(status, expected)
    const entry = await entryOf(headers)
    assert.equal(entry.status, expected)
    assert.equal(entry.user !== null, isKnown, JSON.stringify(entry))
  }
})

test('a request to a differently spelled path is recorded as well', async () => {
  const asked = await corvus.call('GET', '/%61pi/v2/tickets')
  assert.equal(asked.status, 200)
  assert.equal((await entryOf(asked.headers)).route, '/api/v2/tickets')
})

test('a sign-in entry names the user, and no password is stored anywhere', async () => {
  const signedIn = await corvus.call('POST', 'session', { username: 'admin', password: adminPassword }, null)
  assert.equal(signedIn.status, 200)
  const wrong = await corvus.call('POST', 'session', { username: 'admin', password: 'wrong-pass-word' }, null)
  assert.equal(wrong.status, 401)
  assert.equal((await entryOf(signedIn.headers)).username, 'admin')
  assert.equal((await entryOf(wrong.headers)).username, null)
  const { rows } = await corvus.pool.query('select string_agg(t::text, $1) as all from audit_trail as t', [' '])
  assert.ok(rows[0].all.includes('/api/v2/session'))
  assert.ok(!rows[0].all.includes(adminPassword) && !rows[0].all.includes('wrong-pass-word'))
  assert.ok(!rows[0].all.includes(corvus.admin))
})

test('health checks, metrics and documentation pages are not recorded', async () => {
  for (const path of ['/health/live', '/health/ready', '/metrics', '/docs/', '/apis']) {
    await corvus.call('GET', path, undefined, null)
  }
  await entryOf((await corvus.call('GET', 'tickets')).headers)
  const { rows } = await corvus.pool.query(`select path from audit_trail where path !~ '^/(%61pi|api|private)/'`)
  assert.deepEqual(rows, [])
})

test('entries can be filtered by user, method, status, time and path, and paged newest first with a cursor', async () => {
  const token = await corvus.tokenFor(['read tickets'])
  await corvus.call('GET', 'tickets', undefined, token)
  await corvus.call('GET', 'users', undefined, token)
  const last = await corvus.call('DELETE', 'tickets/1', undefined, token)
  const { user, at } = await entryOf(last.headers)
  const read = async (query: string) => (await corvus.call('GET', `audit-trail?${query}`)).body
  const mine = `filter[user]=${encodeURIComponent(String(user))}`
  const paths = ({ data }: { data: Entry[] }) => data.map(({ path }) => path)
  assert.deepEqual(paths(await read(mine)), ['/api/v2/tickets', '/api/v2/users', '/api/v2/tickets/1'])
  assert.deepEqual(paths(await read(`${mine}&filter[status]=403&sort=-at`)), ['/api/v2/tickets/1', '/api/v2/users'])
  assert.deepEqual(paths(await read(`${mine}&filter[method]=DELETE`)), ['/api/v2/tickets/1'])
  assert.deepEqual(paths(await read(`${mine}&filter[path]=/api/v2/users`)), ['/api/v2/users'])
  assert.deepEqual(paths(await read(`${mine}&filter[>at]=${encodeURIComponent(String(at))}`)), [])
  const first = await read(`${mine}&sort=-at&limit=2`)
  assert.equal(first.total_count, 3)
  assert.deepEqual(paths(await read(`${mine}&sort=-at&limit=2&page[cursor]=${first.cursor}`)), ['/api/v2/tickets'])
})

test('audit entries cannot be written over the API', async () => {
  const { headers } = await corvus.call('GET', 'tickets')
  const { id } = await entryOf(headers)
  assert.equal((await corvus.call('POST', 'audit-trail', {})).status, 405)
  assert.equal((await corvus.call('PUT', 'audit-trail', [])).status, 405)
  assert.equal((await corvus.call('DELETE', `audit-trail/${id}`)).status, 405)
  assert.equal((await corvus.call('PATCH', `audit-trail/${id}`, {})).status, 405)
})

test('the export contains every matching entry across all pages, with spreadsheet formulas neutralised', async () => {
  await corvus.pool.query(`
    insert into audit_trail (id, at, method, route, path, status, address, user_agent, milliseconds)
    select gen_random_uuid(), now(), 'GET', '/x', '/many/' || n, 299, '::1', '=cmd|' || chr(34) || ',x', 1
    from generate_series(1, 4321) as n`)
  const { status, body, headers } = await corvus.call('GET', 'audit-trail/export?filter[status]=299&sort=-at')
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /^text\/csv/)
  assert.match(String(headers['content-disposition']), /^attachment; filename="audit-trail.csv"$/)
  const [head, ...lines] = body.trimEnd().split('\r\n')
  assert.equal(head, 'id,at,user,username,method,route,path,status,address,user_agent,milliseconds')
  assert.equal(lines.length, 4321)
  assert.equal(new Set(lines.map((line: string) => line.split(',')[0])).size, 4321)
  assert.ok(lines.every((line: string) => line.endsWith(`,"'=cmd|"",x",1`)))
  const refused = await corvus.call('GET', 'audit-trail/export?filter[nothing]=1')
  assert.equal(refused.status, 400)
  const forbidden = await corvus.call('GET', 'audit-trail/export', undefined, await corvus.tokenFor([]))
  assert.equal(forbidden.body[0].detail, 'Missing permissions: [read audit-trail]')
})
