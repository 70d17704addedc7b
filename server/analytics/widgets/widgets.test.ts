import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { BASE, type Method } from '../../../test/app.ts'
import { corvus } from '../../../test/set-up/datasets.ts'

const PERMISSIONS = ['read configurations', 'modify configurations', 'read entities']

let owner: string
let guest: string
let guestId: number
before(async () => {
  owner = await corvus.tokenFor(PERMISSIONS)
  guest = await corvus.tokenFor(PERMISSIONS)
  guestId = (await corvus.call('GET', 'users/self', undefined, guest)).body.data.id
})

let counter = 0

async function make(item: Record<string, unknown> = {}, token = owner) {
  const body = { name: `W${++counter}`, type: 'number', ...item }
  const answer = await corvus.call('POST', 'widgets', { data: body }, token)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data
}

const show = async (widget: { id: number }, item: object = {}, token = owner): Promise<number> =>
  (await corvus.call('POST', 'dashboards', { name: `D${++counter}`, widgets: [widget.id], ...item }, token)).body.data
    .id

const statusOf = async (method: Method, path: string, body: unknown, token: string): Promise<number> =>
  (await corvus.call(method, path, body, token)).status

const detailsOf = ({ body }: { body: { detail: string }[] }) => body.map(({ detail }) => detail)

test('a widget has the fields of the contract, and defaults for all but name and type', async () => {
  const { id, name, created_at, last_updated_at, created_by, last_updated_by, ...rest } = await make()
  assert.deepEqual(rest, { type: 'number', query: null, aggregation: null, settings: {} })
  assert.ok(Number.isInteger(id) && name && created_at && last_updated_at)
  assert.ok(created_by.startsWith(`${BASE}/api/v2/users/`) && created_by === last_updated_by)
})

test('an aggregation is stored in full, with the same defaults as the aggregation endpoint', async () => {
  const { id, aggregation } = await make({ type: 'bar', aggregation: { group_by: 'type', no_such: 1 } })
  const whole = {
    group_by: 'type',
    split_by: null,
    time_zone: '+00:00',
    metric: 'count',
    limit: 10,
    include_other: false,
    fill: false,
  }
  assert.deepEqual(aggregation, whole)
  const patch = { aggregation: { limit: 1000, split_by: 'created_at', interval: 'week' } }
  const changed = await corvus.call('PATCH', `widgets/${id}`, patch, owner)
  assert.deepEqual(changed.body.data.aggregation, { ...whole, ...patch.aggregation })
  const back = await corvus.call('PATCH', `widgets/${id}`, { aggregation: { split_by: null, interval: null } }, owner)
  assert.deepEqual(back.body.data.aggregation, { ...whole, limit: 1000 })
})

test('every type of widget can be created; only charts require an aggregation', async () => {
  for (const type of ['bar', 'line', 'pie', 'table']) {
    const missing = await corvus.call('POST', 'widgets', { name: `no ${type}`, type }, owner)
    assert.equal(missing.status, 400)
    assert.deepEqual(detailsOf(missing), [`aggregation: is required for the type '${type}'.`])
    assert.equal((await make({ type, aggregation: { group_by: 'tags' } })).type, type)
  }
  for (const type of ['number', 'list', 'attack-matrix']) assert.equal((await make({ type })).type, type)
  const { id, name } = await make({ type: 'number' })
  assert.equal(await statusOf('PATCH', `widgets/${id}`, { type: 'pie' }, owner), 400)
  const several = await corvus.call(
    'PUT',
    'widgets',
    [
      { name: 'fine', type: 'list' },
      { name, type: 'line' },
    ],
    owner,
  )
  assert.deepEqual(detailsOf(several), ["[1].aggregation: is required for the type 'line'."])
  assert.equal((await corvus.call('GET', 'widgets?filter[name]=fine', undefined, owner)).body.count, 0)
  assert.equal((await corvus.call('GET', `widgets/${id}`, undefined, owner)).body.data.type, 'number')
})

test('limits hold at both ends', async () => {
  const good = [
    { name: 'n' },
    { name: 'n'.repeat(500) },
    { type: 'list', settings: { limit: 1 } },
    { type: 'list', settings: { limit: 100 } },
    { type: 'list', settings: { sort: '-last_updated_at,data.title', attributes: ['data.title'] } },
    { type: 'bar', aggregation: { group_by: 'type', limit: 1 } },
    { type: 'bar', aggregation: { group_by: 'type', limit: 1000 } },
    { query: '*:*' },
  ]
  for (const item of good) assert.ok(await make(item))
  for (const [item, path] of [
    [{ name: '' }, 'name'],
    [{ name: 'n'.repeat(501) }, 'name'],
    [{ type: 'sunburst' }, 'type'],
    [{ type: null }, 'type'],
    [{ query: 'type:(' }, 'query'],
    [{ query: `${'a '.repeat(10_001)}` }, 'query'],
    [{ aggregation: {} }, 'aggregation.group_by'],
    [{ aggregation: [] }, 'aggregation'],
    [{ aggregation: { group_by: '' } }, 'aggregation.group_by'],
    [{ aggregation: { group_by: 'type', limit: 0 } }, 'aggregation.limit'],
    [{ aggregation: { group_by: 'type', limit: 1001 } }, 'aggregation.limit'],
    [{ aggregation: { group_by: 'type', interval: 'week' } }, 'aggregation.interval'],
    [{ aggregation: { group_by: 'type', fill: true } }, 'aggregation.fill'],
    [{ aggregation: { group_by: 'type', time_zone: 'Europe/Amsterdam' } }, 'aggregation.time_zone'],
    [{ settings: 'big' }, 'settings'],
    [{ settings: { limit: 0 } }, 'settings.limit'],
    [{ settings: { limit: 101 } }, 'settings.limit'],
    [{ settings: { sort: 'no_such_field' } }, 'settings.sort'],
    [{ settings: { attributes: 'name' } }, 'settings.attributes'],
    [{ settings: { attack: { matrix: 'ics' } } }, 'settings.attack.matrix'],
    [{ settings: { attack: { half_life: 0 } } }, 'settings.attack.half_life'],
    [{ settings: { attack: { entities: ['x'] } } }, 'settings.attack.entities[0]'],
    [{ settings: { colour: '\u0000' } }, 'settings.colour'],
  ] as const) {
    const answer = await corvus.call('POST', 'widgets', { name: `W${++counter}`, type: 'number', ...item }, owner)
    assert.equal(answer.status, 400, JSON.stringify(item).slice(0, 100))
    assert.deepEqual(
      detailsOf(answer).map((detail) => detail.split(': ')[0]),
      [path],
      JSON.stringify(answer.body),
    )
  }
})

test('every invalid field is reported at once, including conflicts caused by a patch', async () => {
  const wrong = { name: '', type: 'x', query: '"', aggregation: { limit: 0 }, settings: { limit: 'x' } }
  const named = ['name', 'type', 'query', 'aggregation.group_by', 'aggregation.limit', 'settings.limit']
  const answer = await corvus.call('POST', 'widgets', wrong, owner)
  assert.deepEqual(
    detailsOf(answer).map((detail) => detail.split(': ')[0]),
    named,
  )
  const { id } = await make({ type: 'bar', aggregation: { group_by: 'created_at', interval: 'day' } })
  const patched = await corvus.call('PATCH', `widgets/${id}`, { aggregation: { group_by: 'type' } }, owner)
  assert.equal(patched.status, 400)
  assert.match(detailsOf(patched)[0] ?? '', /^aggregation\.interval: /)
})

test('a blank query counts as none, and sorting by score requires one', async () => {
  assert.equal((await make({ query: '  ' })).query, null)
  const settings = { sort: '-_score' }
  const { id } = await make({ type: 'list', query: 'emotet', settings })
  const answer = await corvus.call('PATCH', `widgets/${id}`, { query: null }, owner)
  assert.equal(answer.status, 400)
  assert.deepEqual(detailsOf(answer), ["settings.sort: '_score' requires a query."])
})

test('settings keep additional properties of the interface', async () => {
  const { id, settings } = await make({ settings: { colour: 'teal', axis: { log: true } } })
  assert.deepEqual(settings, { colour: 'teal', axis: { log: true } })
  const { body } = await corvus.call('PATCH', `widgets/${id}`, { settings: { axis: { min: 0 }, colour: null } }, owner)
  assert.deepEqual(body.data.settings, { axis: { log: true, min: 0 } })
})

test('a widget is visible to its creator and with each dashboard that shows it', async () => {
  const widget = await make()
  const path = `widgets/${widget.id}`
  const sees = async () => [
    await statusOf('GET', path, undefined, guest),
    await statusOf('GET', `${path}/data`, undefined, guest),
    (await corvus.call('GET', `widgets?filter[id]=${widget.id}`, undefined, guest)).body.total_count,
  ]
  assert.deepEqual(await sees(), [404, 404, 0])
  assert.equal(await statusOf('POST', 'dashboards', { name: 'theft', widgets: [widget.id] }, guest), 400)
  assert.equal(await statusOf('PUT', 'widgets', [{ name: widget.name, type: 'list' }], guest), 409)
  const dashboard = await show(widget)
  assert.deepEqual(await sees(), [404, 404, 0])
  await corvus.call('PATCH', `dashboards/${dashboard}`, { is_shared_with_all: true }, owner)
  assert.deepEqual(await sees(), [200, 200, 1])
  const shown = await corvus.call('GET', `dashboards/${dashboard}`, undefined, guest)
  assert.deepEqual(shown.body.data.widgets, [`${BASE}/api/v2/${path}`])
  await corvus.call('DELETE', `dashboards/${dashboard}`, undefined, owner)
  assert.deepEqual(await sees(), [404, 404, 0])
  assert.equal(await statusOf('GET', path, undefined, owner), 200)
})

test('a widget can be changed by its creator and by users who can change every dashboard that shows it', async () => {
  const widget = await make()
  const path = `widgets/${widget.id}`
  const dashboard = await show(widget, { is_shared_with_all: true })
  const attempts = async () => [
    await statusOf('PATCH', path, { query: 'a' }, guest),
    await statusOf('PUT', 'widgets', [{ name: widget.name, type: 'list' }], guest),
    await statusOf('DELETE', path, undefined, guest),
  ]
  assert.deepEqual(await attempts(), [403, 403, 403])
  // Showing a widget on your own dashboard does not make it yours.
  await show(widget, {}, guest)
  assert.deepEqual(await attempts(), [403, 403, 403])
  const refused = await corvus.call('PATCH', path, { query: 'a' }, guest)
  assert.match(detailsOf(refused)[0] ?? '', /^Only the creator, or a user who can change every dashboard/)
  assert.equal((await corvus.call('GET', path, undefined, owner)).body.data.query, null)
  await corvus.call('PATCH', `dashboards/${dashboard}`, { collaborators: [guestId] }, owner)
  assert.deepEqual(await attempts(), [200, 200, 204])
})

test('deleting a widget removes it from its dashboards', async () => {
  const widget = await make()
  const dashboard = await show(widget)
  assert.equal(await statusOf('DELETE', `widgets/${widget.id}`, undefined, owner), 204)
  assert.deepEqual((await corvus.call('GET', `dashboards/${dashboard}`, undefined, owner)).body.data.widgets, [])
})

test('widgets require the permissions for configurations', async () => {
  const token = await corvus.tokenFor(['read configurations'])
  const refused = await corvus.call('POST', 'widgets', { name: 'x', type: 'number' }, token)
  assert.deepEqual([refused.status, ...detailsOf(refused)], [403, 'Missing permissions: [modify configurations]'])
  const reader = await corvus.tokenFor(['modify configurations'])
  assert.equal(await statusOf('GET', 'widgets', undefined, reader), 403)
})
