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

/** Sends bytes unchanged and reads the response until the server closes the connection. */
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

test('an unknown route is a 404, and a known path with another method a 405 that names the allowed ones', async () => {
  assertRefused(await corvus.call('GET', '/nowhere'), 404)
  assertRefused(await corvus.call('GET', 'no-such-collection'), 404)
  const answer = await corvus.call('PATCH', 'tickets', {})
  assertRefused(answer, 405)
  assert.equal(answer.headers.allow, 'GET, POST, PUT, DELETE')
  assertRefused(await corvus.call('POST', 'tickets/1', {}), 405)
  assertRefused(await corvus.call('OPTIONS', 'tickets'), 405)
  assert.equal((await corvus.call('HEAD', 'session/forgot-password')).status, 405)
})

test('a fixed path next to a path with an id has its own methods', async () => {
  const answer = await corvus.call('PUT', 'tasks/runs', {})
  assertRefused(answer, 405)
  assert.doesNotMatch(String(answer.headers.allow), /PUT/)
})

test('a request that the database stops or drops is a 503 in the error shape, and the next one works', async () => {
  const blocker = await corvus.pool.connect()
  await blocker.query('begin; lock table tickets')
  for (const end of ['pg_cancel_backend', 'pg_terminate_backend']) {
    const answer = corvus.call('POST', 'tickets', { name: end })
    // Not inside the blocker's transaction, which would always see the same activity.
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

test('a bug is a 500 that contains its request id and nothing internal', async () => {
  await corvus.pool.query('alter table tickets rename column priority to hidden')
  const answer = await corvus.call('POST', 'tickets', { name: 'bug' })
  await corvus.pool.query('alter table tickets rename column hidden to priority')
  assertRefused(answer, 500)
  assert.ok(answer.body[0].detail.endsWith(String(answer.headers['x-request-id'])))
  assert.match(answer.body[0].detail, /^Internal server error\. Request id: [0-9a-f-]{36}$/)
})

test('a path is answered without a redirect, with and without a trailing slash', async () => {
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

test('a caller without permission is refused before the body is read', async () => {
  assertRefused(await corvus.call('POST', 'tickets', '{"name": ', null), 401)
  assertRefused(await corvus.call('POST', 'tickets', '{"name": ', await corvus.tokenFor([])), 403)
})

test('input that is not HTTP, too large headers and unknown expectations get the error shape', async () => {
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

test('Expect: 100-continue is answered', async () => {
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

test('GET and DELETE of one object ignore a body', async () => {
  const { body } = await corvus.call('POST', 'tickets', { name: 'with a body' })
  const url = `tickets/${body.data.id}`
  assert.equal((await corvus.call('GET', url, 'null')).status, 200)
  assert.equal((await corvus.call('GET', url, 'a,b', undefined, { 'content-type': 'text/csv' })).status, 200)
  assert.equal((await corvus.call('DELETE', url, 'a,b', undefined, { 'content-type': 'text/csv' })).status, 204)
  const other = (await corvus.call('POST', 'tickets', { name: 'with null' })).body.data.id
  assert.equal((await corvus.call('DELETE', `tickets/${other}`, 'null')).status, 204)
})

test('null instead of a body is a 400 wherever a body is required', async () => {
  const written = routes.filter((route) => !route.path.includes(':') && !route.base && describe(route).body)
  assert.ok(written.length > 80, `${written.length} routes`)
  for (const { method, path } of written) {
    if (path === '/session/proxy' || method === 'DELETE') continue
    const { status, body } = await corvus.call(method as 'POST', `/api/v2${path}`, { data: null })
    assert.equal(status, 400, `${method} ${path} ${JSON.stringify(body)}`)
  }
})
