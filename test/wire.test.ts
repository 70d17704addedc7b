import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answered, startApp } from './app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

function assertRefused({ status, body }: Pick<Answered, 'status' | 'body'>, expected: number): void {
  assert.equal(status, expected, JSON.stringify(body))
  assert.ok(Array.isArray(body) && body.length > 0)
  for (const fault of body)
    assert.deepEqual([fault.status, typeof fault.title, typeof fault.detail], [expected, 'string', 'string'])
}

test('hyphen and underscore are equivalent in collection names', async () => {
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

test('filters accept raw and encoded brackets, repeats are OR, fields are AND, and operators compare', async () => {
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

test('times are accepted without a zone, with Z or with an offset, and returned in UTC with microseconds', async () => {
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

test('references are accepted as id, text, URL of any host, or path, and returned as URLs', async () => {
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

test('PATCH replaces given fields and lists, and clears a field with null', async () => {
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

test('large responses are compressed for clients that accept it', async () => {
  await corvus.call(
    'PUT',
    'tickets',
    Array.from({ length: 50 }, (_, i) => ({ name: `zip ${i}` })),
  )
  const { headers } = await corvus.call('GET', 'tickets', undefined, corvus.admin, { 'accept-encoding': 'gzip' })
  assert.equal(headers['content-encoding'], 'gzip')
})

test('health needs no token, and metrics need one', async () => {
  assert.deepEqual((await corvus.call('GET', '/health/live', undefined, null)).body, { status: 'ok' })
  assert.deepEqual((await corvus.call('GET', '/health/ready', undefined, null)).body, { status: 'ok' })
  assert.match((await corvus.call('GET', '/metrics')).body, /corvus_http_request_seconds_count/)
  assertRefused(await corvus.call('GET', '/metrics', undefined, null), 401)
})

test('every write adds one row to the change log, also a bulk write', async () => {
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
