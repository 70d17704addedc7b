import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { describe } from '../server/http/openapi/describe.ts'
import { routes } from '../server/registry.ts'
import { type Answered, startApp } from './app.ts'
import { until } from './until.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let port: number
before(async () => {
  corvus = await startApp()
  await corvus.app.listen({ host: '127.0.0.1', port: 0 })
  port = (corvus.app.server.address() as { port: number }).port
})
after(() => corvus.stop())

function assertRefused({ status, body }: Pick<Answered, 'status' | 'body'>, expected: number): void {
  assert.equal(status, expected, JSON.stringify(body))
  assert.ok(Array.isArray(body) && body.length > 0)
  for (const fault of body)
    assert.deepEqual([fault.status, typeof fault.title, typeof fault.detail], [expected, 'string', 'string'])
}

/** Sends bytes as they are and reads the answer as it comes. */
async function raw(text: string): Promise<Pick<Answered, 'status' | 'body'>> {
  const socket = connect(port, '127.0.0.1')
  socket.end(text)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  const answer = Buffer.concat(chunks).toString()
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
  return { status: Number(answer.slice(9, 12)), body: body.startsWith('[') ? JSON.parse(body) : body }
}

test('an unknown route is a 404, a known path with another method a 405 that says what is possible', async () => {
  assertRefused(await corvus.call('GET', '/nowhere'), 404)
  assertRefused(await corvus.call('GET', 'no-such-collection'), 404)
  const answer = await corvus.call('PATCH', 'tickets', {})
  assertRefused(answer, 405)
  assert.equal(answer.headers.allow, 'GET, POST, PUT, DELETE')
  assertRefused(await corvus.call('POST', 'tickets/1', {}), 405)
  assertRefused(await corvus.call('OPTIONS', 'tickets'), 405)
  assert.equal((await corvus.call('HEAD', 'session/forgot-password')).status, 405)
})

test('an address that another one would take for an id has its own methods', async () => {
  const answer = await corvus.call('PUT', 'tasks/runs', {})
  assertRefused(answer, 405)
  assert.doesNotMatch(String(answer.headers.allow), /PUT/)
})

test('hyphen and underscore in the name of a collection mean the same, in every request', async () => {
  for (const path of [
    'saved-queries',
    'saved_queries',
    'saved_queries/',
    'saved_queries?limit=1',
    'entity_attachments',
  ]) {
    assert.equal((await corvus.call('GET', path)).status, 200, path)
  }
  const refused = await corvus.call('PATCH', 'saved_queries', {})
  assertRefused(refused, 405)
  const nowhere = await corvus.call('GET', 'saved_queries/1/nothing')
  assertRefused(nowhere, 404)
  assert.match(JSON.stringify(nowhere.body), /saved_queries\/1\/nothing/)
})

test('a request that the database stops or drops is a 503 in the error shape, and the next one works', async () => {
  const blocker = await corvus.pool.connect()
  await blocker.query('begin; lock table tickets')
  for (const end of ['pg_cancel_backend', 'pg_terminate_backend']) {
    const answer = corvus.call('POST', 'tickets', { name: end })
    // Not inside the blocker's transaction, which would see the same activity for ever.
    const stop = `
      select ${end}(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`
    await until(async () => (await corvus.pool.query(stop)).rowCount, 'it does not wait for the lock')
    assertRefused(await answer, 503)
  }
  await blocker.query('rollback')
  blocker.release()
  assert.equal((await corvus.call('POST', 'tickets', { name: 'after' })).status, 201)
  assert.equal((await corvus.call('GET', 'tickets?filter[name]=pg_cancel_backend&data=false')).body.total_count, 0)
})

test('a bug is a 500 that tells its request id and nothing internal', async () => {
  await corvus.pool.query('alter table tickets rename column priority to hidden')
  const answer = await corvus.call('POST', 'tickets', { name: 'bug' })
  await corvus.pool.query('alter table tickets rename column hidden to priority')
  assertRefused(answer, 500)
  assert.ok(answer.body[0].detail.endsWith(String(answer.headers['x-request-id'])))
  assert.match(answer.body[0].detail, /^Internal server error\. Request id: [0-9a-f-]{36}$/)
})

test('a path answers in place with and without a trailing slash', async () => {
  assert.equal((await corvus.call('GET', 'tickets/')).status, 200)
  assert.equal((await corvus.call('GET', 'workspaces/1/')).status, 200)
  assert.equal((await corvus.call('GET', 'workspaces/1/tickets/')).status, 200)
})

test('broken requests get the error shape: bad JSON, depth, size, encoding, media type', async () => {
  assertRefused(await corvus.call('POST', 'tickets', '{"name": '), 400)
  assertRefused(await corvus.call('POST', 'tickets', `${'['.repeat(5000)}${']'.repeat(5000)}`), 400)
  assertRefused(await corvus.call('POST', 'tickets', `{"name": "${'x'.repeat(65 * 1024 * 1024)}"}`), 413)
  assertRefused(await corvus.call('POST', 'tickets', '<a/>', undefined, { 'content-type': 'application/xml' }), 415)
  assertRefused(await corvus.call('POST', 'tickets', JSON.stringify({ name: 'a\u0000b' })), 400)
  const answer = await corvus.app.inject({
    method: 'POST',
    url: '/api/v2/tickets',
    headers: { authorization: `Bearer ${corvus.admin}`, 'content-type': 'application/json' },
    payload: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  })
  assertRefused({ status: answer.statusCode, body: answer.json() }, 400)
})

test('who may not call learns so before the body is read', async () => {
  assertRefused(await corvus.call('POST', 'tickets', '{"name": ', null), 401)
  assertRefused(await corvus.call('POST', 'tickets', '{"name": ', await corvus.tokenFor([])), 403)
})

test('what is no HTTP, has too large headers, or expects the impossible is answered in the error shape', async () => {
  assertRefused(await raw('NONSENSE\r\n\r\n'), 400)
  assertRefused(await raw(`GET /${'x'.repeat(60_000)} HTTP/1.1\r\nHost: x\r\n\r\n`), 431)
  assertRefused(
    await raw('GET /api/v2/tickets HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n'),
    417,
  )
  assertRefused(await raw('GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), 400)
})

test('a request line of 16 kB is read', async () => {
  const filters = Array.from({ length: 700 }, (_, i) => `filter%5Bname%5D=name-${i}`).join('&')
  assert.ok(filters.length > 15_000)
  assert.equal((await corvus.call('GET', `tickets?${filters}`)).status, 200)
})

test('Expect: 100-continue is met', async () => {
  const body = JSON.stringify({ name: 'expected' })
  const request = httpRequest({
    port,
    method: 'POST',
    path: '/api/v2/tickets',
    headers: {
      authorization: `Bearer ${corvus.admin}`,
      'content-type': 'application/json',
      expect: '100-continue',
      'content-length': body.length,
    },
  })
  request.flushHeaders()
  await once(request, 'continue')
  request.end(body)
  const [response] = await once(request, 'response')
  response.resume()
  assert.equal(response.statusCode, 201)
})

test('GET and DELETE of one object ignore whatever body comes with them', async () => {
  const { body } = await corvus.call('POST', 'tickets', { name: 'with a body' })
  const url = `tickets/${body.data.id}`
  assert.equal((await corvus.call('GET', url, 'null')).status, 200)
  assert.equal((await corvus.call('GET', url, 'a,b', undefined, { 'content-type': 'text/csv' })).status, 200)
  assert.equal((await corvus.call('DELETE', url, 'a,b', undefined, { 'content-type': 'text/csv' })).status, 204)
  const other = (await corvus.call('POST', 'tickets', { name: 'with null' })).body.data.id
  assert.equal((await corvus.call('DELETE', `tickets/${other}`, 'null')).status, 204)
})

test('brackets come raw or encoded, repeats are OR, fields are AND, operators compare', async () => {
  await corvus.call(
    'PUT',
    'tickets',
    ['f1', 'f2', 'f3'].map((name, i) => ({ name, description: 'f', due_at: `2026-0${i + 1}-01` })),
  )
  const names = async (query: string) =>
    (await corvus.call('GET', `tickets?filter[description]=f&attributes=name&${query}`)).body.data.map(
      ({ name }: { name: string }) => name,
    )
  assert.deepEqual(await names('filter[name]=f1&filter%5Bname%5D=f3'), ['f1', 'f3'])
  assert.deepEqual(await names('filter[>due_at]=2026-01-01T00:00:00Z'), ['f2', 'f3'])
  assert.deepEqual(await names('filter[%3E%3Ddue_at]=2026-02-01&filter[%3Cdue_at]=2026-03-01'), ['f2'])
  assert.deepEqual(await names('filter[>=due_at]=2026-02-01&filter[<=due_at]=2026-02-01'), ['f2'])
  assert.deepEqual(await names('filter[!name]=f1&filter[!name]=f2'), ['f3'])
  assert.deepEqual(await names('filter[assignee]=null&filter[name]=f2'), ['f2'])
})

test('times come in naive, with Z or with an offset, and go out in UTC with microseconds', async () => {
  const due = async (due_at: string) => (await corvus.call('PUT', 'tickets', { name: 'time', due_at })).body.data.due_at
  assert.equal(await due('2024-01-29T07:42:07.059329'), '2024-01-29T07:42:07.059329+00:00')
  assert.equal(await due('2024-01-29T07:42:07Z'), '2024-01-29T07:42:07.000000+00:00')
  assert.equal(await due('2024-01-29T07:42:07.5+02:00'), '2024-01-29T05:42:07.500000+00:00')
  assert.equal(await due('2024-01-29'), '2024-01-29T00:00:00.000000+00:00')
  for (const wrong of ['yesterday', '2024-02-30', '2024-01-29T25:00:00Z', '99999-01-01']) {
    assertRefused(await corvus.call('PUT', 'tickets', { name: 'time', due_at: wrong }), 400)
  }
})

test('a 400 names every bad field at once, by its path', async () => {
  const { body } = await corvus.call('PUT', 'tickets', {
    data: [{ name: 'ok' }, { status: 'x', due_at: 1, workspaces: ['?'] }],
  })
  const paths = body.map(({ detail }: { detail: string }) => detail.split(': ')[0])
  assert.deepEqual(paths, ['data[1].name', 'data[1].status', 'data[1].due_at', 'data[1].workspaces[0]'])
})

test('references that do not exist are a 400 that names each, and nothing is stored', async () => {
  const { status, body } = await corvus.call('PUT', 'tickets', [
    { name: 'r1' },
    { name: 'r2', assignee: 99999, workspaces: [1, 88888] },
  ])
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail),
    ["[1].assignee: there is no '99999' in users.", "[1].workspaces: there is no '88888' in workspaces."],
  )
  assert.equal((await corvus.call('GET', 'tickets?filter[name]=r1&data=false')).body.total_count, 0)
})

test('references are taken as id, text, URL of any host, or path, and answered as URLs', async () => {
  for (const workspaces of [
    [1],
    ['1'],
    ['https://other/api/v2/workspaces/1?x=y'],
    ['/api/v2/workspaces/1/'],
    [{ id: 1 }],
  ]) {
    const { status, body } = await corvus.call('PUT', 'tickets', { name: 'refs', workspaces })
    assert.ok(status < 300, JSON.stringify(body))
    assert.deepEqual(body.data.workspaces, ['http://corvus.test/api/v2/workspaces/1'])
  }
})

test('PATCH replaces what is given, merges documents by key, replaces lists, and clears with null', async () => {
  const { body } = await corvus.call('POST', 'tickets', {
    name: 'patch',
    description: 'd',
    priority: 'LOW',
    workspaces: [1],
  })
  const url = `tickets/${body.data.id}`
  const patched = await corvus.call('PATCH', url, {
    data: { priority: null, status: null, id: 5, created_at: '2000-01-01' },
  })
  assert.equal(patched.body.data.priority, null)
  assert.equal(patched.body.data.status, 'OPEN')
  assert.equal(patched.body.data.description, 'd')
  assert.equal(patched.body.data.created_at, body.data.created_at)
  assert.deepEqual(patched.body.data.workspaces.length, 1)
  assert.deepEqual((await corvus.call('PATCH', url, { workspaces: [] })).body.data.workspaces, [])
  assertRefused(await corvus.call('PATCH', url, { name: null }), 400)
})

test('attributes prune the items and keep the envelope', async () => {
  await corvus.call('PUT', 'tickets', { name: 'pruned', description: 'pruned' })
  const { body } = await corvus.call('GET', 'tickets?filter[name]=pruned&attributes=name,no_such,status.x')
  assert.deepEqual(body.data, [{ name: 'pruned' }])
  assert.equal(body.total_count, 1)
})

test('large answers are compressed for who accepts it', async () => {
  await corvus.call(
    'PUT',
    'tickets',
    Array.from({ length: 50 }, (_, i) => ({ name: `zip ${i}` })),
  )
  const { headers } = await corvus.call('GET', 'tickets', undefined, corvus.admin, { 'accept-encoding': 'gzip' })
  assert.equal(headers['content-encoding'], 'gzip')
})

test('health answers without a token, and metrics need one', async () => {
  assert.deepEqual((await corvus.call('GET', '/health/live', undefined, null)).body, { status: 'ok' })
  assert.deepEqual((await corvus.call('GET', '/health/ready', undefined, null)).body, { status: 'ok' })
  assert.match((await corvus.call('GET', '/metrics')).body, /corvus_http_request_seconds_count/)
  assertRefused(await corvus.call('GET', '/metrics', undefined, null), 401)
})

test('every write leaves a row in the changes log, whatever its size', async () => {
  const items = Array.from({ length: 5 }, (_, i) => ({ name: `logged ${i}` }))
  const { body } = await corvus.call('PUT', 'tickets', items)
  const ids = body.data.map(({ id }: { id: number }) => String(id))
  await corvus.call('PATCH', `tickets/${ids[0]}`, { status: 'CLOSED' })
  await corvus.call(
    'DELETE',
    'tickets',
    body.data.map(({ id }: { id: number }) => id),
  )
  const { rows } = await corvus.pool.query(
    `select kind, ids from changes where resource = 'tickets' and ids && $1 order by id`,
    [ids],
  )
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['create', 'update', 'delete'],
  )
  assert.deepEqual([...rows[2].ids].sort(), [...ids].sort())
})

test('null in place of a body is a 400 wherever a body is needed', async () => {
  const written = routes.filter((route) => !route.path.includes(':') && !route.base && describe(route).body)
  assert.ok(written.length > 80, `${written.length} routes`)
  for (const { method, path } of written) {
    if (path === '/session/proxy' || method === 'DELETE') continue
    const { status, body } = await corvus.call(method as 'POST', `/api/v2${path}`, { data: null })
    assert.equal(status, 400, `${method} ${path} ${JSON.stringify(body)}`)
  }
})
