import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, type Method, startApp } from '../../test/app.ts'

const PERMISSIONS = ['read configurations', 'modify configurations', 'read entities']

let corvus: Awaited<ReturnType<typeof startApp>>
let owner: string
let guest: string
let guestId: number

before(async () => {
  corvus = await startApp()
  owner = await corvus.tokenFor(PERMISSIONS)
  guest = await corvus.tokenFor(PERMISSIONS)
  guestId = await idOf(guest)
})
after(() => corvus.stop())

let counter = 0

const idOf = async (token: string): Promise<number> =>
  (await corvus.call('GET', 'users/self', undefined, token)).body.data.id

async function make(item: Record<string, unknown> = {}, token = owner) {
  const { status, body } = await corvus.call('POST', 'dashboards', { data: { name: `D${++counter}`, ...item } }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const statusOf = async (method: Method, path: string, body: unknown, token: string): Promise<number> =>
  (await corvus.call(method, path, body, token)).status

const url = (path: string, id: unknown) => `${BASE}/api/v2/${path}/${id}`

test('a dashboard has the fields of the specification, and defaults for all but its name', async () => {
  const { id, created_at, last_updated_at, ...rest } = await make({ name: 'Plain' })
  const me = url('users', await idOf(owner))
  assert.deepEqual(rest, {
    name: 'Plain',
    description: '',
    collaborators: [],
    groups: [],
    widgets: [],
    is_pinned: false,
    is_protected: false,
    is_shared_with_all: false,
    ui_metadata: {},
    created_by: me,
    last_updated_by: me,
  })
  assert.ok(Number.isInteger(id) && created_at === last_updated_at)
})

test('every field is returned as set, and null restores its default', async () => {
  const { body } = await corvus.call('POST', 'widgets', { name: 'W', type: 'number' }, owner)
  const given = {
    description: 'what we watch',
    collaborators: [url('users', guestId)],
    groups: [url('groups', 1)],
    widgets: [url('widgets', body.data.id)],
    is_pinned: true,
    is_protected: true,
    is_shared_with_all: true,
    ui_metadata: { columns: 3, places: [{ widget: 1, at: [0, 0] }] },
  }
  const made = await make(given)
  assert.partialDeepStrictEqual(made, given)
  const merged = await corvus.call('PATCH', `dashboards/${made.id}`, { ui_metadata: { columns: 4 } }, owner)
  assert.deepEqual(merged.body.data.ui_metadata, { ...given.ui_metadata, columns: 4 })
  const cleared = Object.fromEntries(Object.keys(given).map((name) => [name, null]))
  const plain = await corvus.call('PATCH', `dashboards/${made.id}`, cleared, owner)
  assert.deepEqual(
    Object.keys(given).map((name) => plain.body.data[name]),
    ['', [], [], [], false, false, false, {}],
  )
})

test('a name must have 1 to 500 characters and be unique', async () => {
  assert.equal((await make({ name: 'n'.repeat(500) })).name.length, 500)
  assert.equal((await make({ name: 'x' })).name, 'x')
  for (const name of ['', 'n'.repeat(501), null, 7]) {
    const { status, body } = await corvus.call('POST', 'dashboards', { data: { name } }, owner)
    assert.equal(status, 400)
    assert.match(body[0].detail, /^data\.name: /)
  }
  assert.equal(await statusOf('POST', 'dashboards', { name: 'x' }, owner), 409)
})

test('every invalid field is reported at once', async () => {
  const wrong = {
    description: 1,
    collaborators: ['nobody'],
    groups: 'all',
    widgets: [{}],
    is_pinned: 'yes',
    is_protected: 1,
    is_shared_with_all: 'no',
    ui_metadata: [],
  }
  const { status, body } = await corvus.call('POST', 'dashboards', wrong, owner)
  assert.equal(status, 400)
  const named = body.map(({ detail }: { detail: string }) => detail.split(/[:[]/)[0])
  assert.deepEqual(named.sort(), ['name', ...Object.keys(wrong)].sort())
  const unknown = await corvus.call('POST', 'dashboards', { name: 'u', widgets: [999999], groups: [999999] }, owner)
  assert.equal(unknown.status, 400)
  assert.deepEqual(
    unknown.body.map(({ detail }: { detail: string }) => detail.split(':')[0]),
    ['groups', 'widgets'],
  )
  const nul = await corvus.call('POST', 'dashboards', { name: 'u', ui_metadata: { a: ['\u0000'] } }, owner)
  assert.equal(nul.status, 400)
  assert.match(nul.body[0].detail, /^ui_metadata\.a\[0\]: /)
})

test('an invisible dashboard appears in no list, count, path, reference or key', async () => {
  const { id, name } = await make()
  const listed = await corvus.call('GET', `dashboards?filter[name]=${name}`, undefined, guest)
  assert.deepEqual([listed.body.data, listed.body.total_count], [[], 0])
  for (const [method, body] of [['GET'], ['PATCH', { description: 'x' }], ['DELETE']] as const)
    assert.equal(await statusOf(method, `dashboards/${id}`, body, guest), 404, method)
  assert.equal(await statusOf('DELETE', 'dashboards', [id], guest), 404)
  assert.equal(await statusOf('PUT', 'dashboards', [{ name, description: 'x' }], guest), 409)
  assert.equal(await statusOf('GET', `dashboards/${id}`, undefined, corvus.admin), 404)
  assert.equal(await statusOf('GET', `dashboards/${id}`, undefined, owner), 200)
})

test('collaborators and members of its groups see a dashboard, and everyone does if it is public', async () => {
  const outsider = await corvus.tokenFor(PERMISSIONS)
  const outsiderId = await idOf(outsider)
  const group = (await corvus.call('POST', 'groups', { name: 'desk', users: [guestId] })).body.data.id
  for (const [shared, forGuest, forOutsider] of [
    [{}, 404, 404],
    [{ collaborators: [guestId] }, 200, 404],
    [{ groups: [group] }, 200, 404],
    [{ collaborators: [outsiderId] }, 404, 200],
    [{ is_shared_with_all: true }, 200, 200],
  ] as const) {
    const { id } = await make(shared)
    const seen = [guest, outsider].map((token) => statusOf('GET', `dashboards/${id}`, undefined, token))
    assert.deepEqual(await Promise.all(seen), [forGuest, forOutsider], JSON.stringify(shared))
  }
})

test('only the creator and collaborators can change a dashboard; others who see it get a 403', async () => {
  const { id, name } = await make({ is_shared_with_all: true })
  const attempts = [
    ['PATCH', `dashboards/${id}`, { description: 'theirs' }],
    ['PUT', 'dashboards', [{ name, description: 'theirs' }]],
    ['DELETE', `dashboards/${id}`],
    ['DELETE', 'dashboards', [id]],
  ] as const
  for (const [method, path, body] of attempts) {
    const answer = await corvus.call(method, path, body, guest)
    assert.equal(answer.status, 403, `${method} ${path}`)
    assert.deepEqual(answer.body, [
      {
        status: 403,
        title: 'Forbidden',
        detail: `Only the creator and collaborators can change or delete the dashboard '${name}'.`,
      },
    ])
  }
  assert.equal((await corvus.call('GET', `dashboards/${id}`, undefined, owner)).body.data.description, '')
  await corvus.call('PATCH', `dashboards/${id}`, { collaborators: [guestId] }, owner)
  assert.deepEqual(
    [
      await statusOf('PATCH', `dashboards/${id}`, { description: 'ours' }, guest),
      await statusOf('PUT', 'dashboards', [{ name, is_pinned: true }], guest),
      await statusOf('DELETE', `dashboards/${id}`, undefined, guest),
    ],
    [200, 200, 204],
  )
})

test('only the creator can change or delete a protected dashboard', async () => {
  const { id, name } = await make({ is_protected: true, collaborators: [guestId] })
  for (const [method, path, body] of [
    ['PATCH', `dashboards/${id}`, { is_protected: false }],
    ['PUT', 'dashboards', [{ name, is_protected: false }]],
    ['DELETE', `dashboards/${id}`],
  ] as const) {
    const answer = await corvus.call(method, path, body, guest)
    assert.equal(answer.status, 403, method)
    assert.equal(
      answer.body[0].detail,
      `The dashboard '${name}' is protected. Only its creator can change or delete it.`,
    )
  }
  assert.equal(await statusOf('PATCH', `dashboards/${id}`, { description: 'mine' }, owner), 200)
  assert.equal(await statusOf('DELETE', `dashboards/${id}`, undefined, owner), 204)
})

test('a bulk write with one dashboard that may not be changed changes none', async () => {
  const mine = await make({}, guest)
  const theirs = await make({ is_shared_with_all: true })
  assert.equal(await statusOf('DELETE', 'dashboards', [mine.id, theirs.id], guest), 403)
  const items = [mine, theirs].map(({ name }) => ({ name, description: 'both' }))
  assert.equal(await statusOf('PUT', 'dashboards', items, guest), 403)
  assert.equal((await corvus.call('GET', `dashboards/${mine.id}`, undefined, guest)).body.data.description, '')
})

test('if its creator was deleted, everyone who sees a dashboard can change it', async () => {
  const leaver = await corvus.tokenFor(PERMISSIONS)
  const { id } = await make({ is_shared_with_all: true, is_protected: true }, leaver)
  assert.equal(await statusOf('PATCH', `dashboards/${id}`, { description: 'x' }, guest), 403)
  await corvus.call('DELETE', `users/${await idOf(leaver)}`)
  const { status, body } = await corvus.call('PATCH', `dashboards/${id}`, { description: 'x' }, guest)
  assert.deepEqual([status, body.data.created_by], [200, null])
})

test('reading requires read configurations, writing requires modify configurations', async () => {
  const [reader, writer] = [
    await corvus.tokenFor(['read configurations']),
    await corvus.tokenFor(['modify configurations']),
  ]
  const refused = await corvus.call('POST', 'dashboards', { name: 'r' }, reader)
  assert.deepEqual([refused.status, refused.body[0].detail], [403, 'Missing permissions: [modify configurations]'])
  const unread = await corvus.call('GET', 'dashboards', undefined, writer)
  assert.deepEqual([unread.status, unread.body[0].detail], [403, 'Missing permissions: [read configurations]'])
})

test('dashboards have no relation paths', async () => {
  const { id } = await make()
  for (const field of ['collaborators', 'groups', 'widgets'])
    assert.equal(await statusOf('GET', `dashboards/${id}/${field}`, undefined, owner), 404, field)
})
