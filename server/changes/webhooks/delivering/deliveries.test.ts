import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isGenuine, startWebhooks } from '../../../../test/receiver.ts'
import { isCounted } from '../../../../test/set-up/counting.ts'
import { until } from '../../../../test/until.ts'

const OWNER = ['read entities', 'read extracts', 'read tickets', 'read webhooks', 'modify webhooks']

let corvus: Awaited<ReturnType<typeof startWebhooks>>
let statements = 0
before(async () => {
  corvus = await startWebhooks((statement) => {
    if (isCounted(statement)) statements++
  })
})
after(() => corvus.stop())

const brief = (events: readonly { kind: string; object: string }[]) => events.map(({ kind, object }) => [kind, object])

test('changes are delivered in order, signed, with stable ids, and only those after the webhook was created', async () => {
  await corvus.make('tickets', { name: 'Before' })
  const { id, new_secret } = await corvus.webhook('order', { collections: ['tickets'] })
  const one = await corvus.make('tickets', { name: 'One' })
  await corvus.call('PATCH', `tickets/${one.id}`, { status: 'CLOSED' })
  const { body } = await corvus.call('PUT', 'tickets', [{ name: 'Second' }, { name: 'Third' }])
  await corvus.settle()
  const process = corvus.startProcess()
  const events = await until(() => {
    const all = corvus.receiver.eventsAt('/order')
    return all.length >= 4 ? all : undefined
  }, 'not delivered')
  await process.stop()
  const url = (ticket: number) => `http://corvus.test/api/v2/tickets/${ticket}`
  assert.deepEqual(brief(events), [
    ['create', url(one.id)],
    ['update', url(one.id)],
    ...body.data.map((ticket: { id: number }) => ['create', url(ticket.id)]),
  ])
  const [call] = corvus.receiver.callsTo('/order')
  assert.ok(call && isGenuine(call, new_secret), 'the signature is right')
  assert.ok(!isGenuine({ ...call, raw: `${call.raw} ` }, new_secret), 'of this body')
  assert.ok(!isGenuine(call, `${new_secret}x`), 'with this secret')
  assert.equal(call.headers['content-type'], 'application/json')
  assert.equal(call.headers['corvus-webhook'], String(id))
  assert.equal(call.headers['corvus-delivery'], call.body.delivery)
  assert.equal(call.body.webhook, `http://corvus.test/api/v2/webhooks/${id}`)
  assert.deepEqual([call.body.is_test, call.body.has_gap], [false, false])
  const [delivery] = await corvus.deliveries(id)
  assert.partialDeepStrictEqual(delivery, { state: 'DELIVERED', events: 4, attempts: 1, status: 200, reason: null })
  assert.equal(delivery.id, call.body.delivery)
  const read = await corvus.read(id)
  assert.equal(read.last_status, 200)
  assert.ok(read.last_delivery_at)
})

test('each owner gets what they can see at delivery, regardless of who changed it', async () => {
  const group = await corvus.blindGroup('Closed circle')
  const [outsider, insider] = [await corvus.tokenFor(OWNER), await corvus.tokenFor(OWNER)]
  await corvus.make('groups', {
    name: 'Amber readers',
    users: [await corvus.userOf(insider)],
    sources: [`${group.source}?allowed_tlp=AMBER`],
  })
  await corvus.webhook('outside', { include_object: true }, outsider)
  await corvus.webhook('inside', { include_object: true }, insider)
  const make = (title: string, more = {}) => corvus.make('entities', corvus.indicator(title, more))
  const amber = await make('Amber', { sources: [group.source], meta: { tlp_color: 'AMBER' } })
  const red = await make('Red', { sources: [group.source], meta: { tlp_color: 'RED' } })
  const open = await make('Open')
  const process = corvus.startProcess()
  const heard = (path: string) => corvus.receiver.eventsAt(path)
  await until(() => heard('/outside').length > 0 && heard('/inside').length > 1, 'not delivered')
  await process.stop()
  assert.deepEqual(
    heard('/outside').map(({ data }) => data.data.title),
    ['Open'],
  )
  assert.deepEqual(
    heard('/inside').map(({ data }) => data.data.title),
    ['Amber', 'Open'],
  )
  const outside = JSON.stringify(corvus.receiver.callsTo('/outside'))
  assert.ok(!outside.includes(amber.id) && !outside.includes(red.id))
  assert.ok(!JSON.stringify(corvus.receiver.callsTo('/inside')).includes(red.id))
  assert.ok(heard('/outside').every(({ user }) => user === null))
  assert.equal(heard('/outside')[0]?.object, `http://corvus.test/api/v2/entities/${open.id}`)
})

test('collections, kinds and a query select events; deletions are delivered regardless of the query', async () => {
  const { id } = await corvus.webhook('chosen', {
    collections: ['entities'],
    query: 'tags:wanted',
    kinds: ['create', 'delete'],
  })
  const wanted = await corvus.make('entities', corvus.indicator('Wanted', { meta: { tags: ['wanted'] } }))
  const other = await corvus.make('entities', corvus.indicator('Other'))
  await corvus.call('PATCH', `entities/${wanted.id}`, { data: { title: 'Wanted, changed' } })
  await corvus.call('DELETE', `entities/${other.id}`)
  await corvus.make('tickets', { name: 'Of another collection' })
  await corvus.settle()
  const process = corvus.startProcess()
  const events = await until(() => {
    const all = corvus.receiver.eventsAt('/chosen')
    return all.length > 1 ? all : undefined
  }, 'not delivered')
  await process.stop()
  const url = (entity: { id: string }) => `http://corvus.test/api/v2/entities/${entity.id}`
  assert.deepEqual(brief(events), [
    ['create', url(wanted)],
    ['delete', url(other)],
  ])
  assert.ok(!('data' in (events[0] ?? {})))
  assert.equal((await corvus.deliveries(id)).length, 1)
})

test('events wait while no process runs, and a process that stops loses none', async () => {
  const { id } = await corvus.webhook('restart', { collections: ['tickets'] })
  await corvus.make('tickets', { name: 'Waits' })
  corvus.receiver.answers(() => {})
  const first = corvus.startProcess()
  const [call] = await until(
    () => corvus.receiver.callsTo('/restart')[0] && corvus.receiver.callsTo('/restart'),
    'no call',
  )
  // The receiver got it, but its response was lost.
  await first.stop()
  assert.equal((await corvus.read(id)).last_delivery_at, null)
  assert.equal((await corvus.read(id)).failing_since, null, 'a process that stops is no failure of the receiver')
  corvus.receiver.answers((response) => void response.end())
  const second = corvus.startProcess()
  await until(async () => (await corvus.read(id)).last_delivery_at, 'not delivered')
  await second.stop()
  const again = corvus.receiver.callsTo('/restart').at(-1)
  assert.deepEqual(again?.body, call?.body)
  assert.equal(again?.headers['corvus-delivery'], call?.headers['corvus-delivery'])
})

test('the webhook of a dead process is taken over when its lease ends, and not before', async () => {
  const { id } = await corvus.webhook('dead', { collections: ['tickets'] })
  await corvus.make('tickets', { name: 'Left behind' })
  const claim = (until: string) =>
    corvus.pool.query(
      `update followers set claim = gen_random_uuid(), claimed_until = ${until} where name = 'webhooks' and owner = $1`,
      [id],
    )
  await claim(`now() + interval '1 hour'`)
  await corvus.webhook('alive', { collections: ['tickets'] })
  await corvus.make('tickets', { name: 'For both' })
  const process = corvus.startProcess()
  await until(() => corvus.receiver.eventsAt('/alive').length > 0, 'not delivered')
  assert.equal(corvus.receiver.callsTo('/dead').length, 0)
  await claim(`now() - interval '1 second'`)
  await until(() => corvus.receiver.eventsAt('/dead').length > 1, 'not taken over')
  await process.stop()
})

test('several processes take turns with a webhook, and deliver each event once and in order', async () => {
  let under = 0
  let most = 0
  corvus.receiver.answers(async (response, { path }) => {
    if (path === '/several') most = Math.max(most, ++under)
    await sleep(20)
    if (path === '/several') under--
    response.end()
  })
  await corvus.webhook('several', { collections: ['tickets'] })
  const processes = [corvus.startProcess(), corvus.startProcess(), corvus.startProcess()]
  for (let i = 0; i < 12; i++) {
    await corvus.make('tickets', { name: `Several ${i}` })
    await sleep(150)
  }
  await until(() => corvus.receiver.eventsAt('/several').length >= 12, 'not delivered')
  await Promise.all(processes.map((each) => each.stop()))
  corvus.receiver.answers((response) => void response.end())
  const sent = corvus.receiver.callsTo('/several').flatMap(({ body }) => body.events)
  assert.equal(sent.length, 12, 'none twice')
  const ids = sent.map(({ object }) => Number(object.split('/').at(-1)))
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  assert.equal(most, 1)
})

test('deliveries wait while the owner is inactive or locked', async () => {
  const token = await corvus.tokenFor(OWNER)
  const owner = await corvus.userOf(token)
  const { id } = await corvus.webhook('owner', { collections: ['tickets'] }, token)
  await corvus.webhook('other-owner', { collections: ['tickets'] })
  const process = corvus.startProcess()
  for (const column of ['is_active', 'is_locked']) {
    await corvus.pool.query(`update users set ${column} = not ${column} where id = $1`, [owner])
    const { id: ticket } = await corvus.make('tickets', { name: `While ${column}` })
    const isTold = (path: string) => corvus.receiver.eventsAt(path).some(({ object }) => object.endsWith(`/${ticket}`))
    await until(() => isTold('/other-owner'), 'not delivered')
    await sleep(100)
    assert.ok(!isTold('/owner'), column)
    await corvus.pool.query(`update users set ${column} = not ${column} where id = $1`, [owner])
    await until(() => isTold('/owner'), 'not delivered when the owner is back')
  }
  await process.stop()
  await corvus.pool.query('delete from users where id = $1', [owner])
  assert.equal((await corvus.read(id)).created_by, null)
})

test('an owner who may no longer read a collection gets no events of it', async () => {
  const token = await corvus.tokenFor(OWNER)
  await corvus.webhook('demoted', { collections: ['tickets', 'entities'] }, token)
  await corvus.pool.query(
    `delete from role_permissions where target = (select id from permissions where name = 'read entities')
      and source in (select source from role_users where target = $1)`,
    [await corvus.userOf(token)],
  )
  await corvus.make('entities', corvus.indicator('Unread'))
  await corvus.make('tickets', { name: 'Still read' })
  const process = corvus.startProcess()
  await until(() => corvus.receiver.eventsAt('/demoted').length > 0, 'not delivered')
  await process.stop()
  assert.deepEqual(
    corvus.receiver.eventsAt('/demoted').map(({ resource }) => resource),
    ['tickets'],
  )
})

test('a body has at most 1 MiB, and a larger object is left out', async () => {
  await corvus.webhook('large', { collections: ['tickets'], include_object: true })
  const items = Array.from({ length: 30 }, (_, i) => ({ name: `Large ${i}`, description: 'é'.repeat(45_000) }))
  await corvus.call('PUT', 'tickets', [...items, { name: 'Too large', description: 'é'.repeat(600_000) }])
  const process = corvus.startProcess()
  await until(() => corvus.receiver.eventsAt('/large').length >= 31, 'not delivered')
  await process.stop()
  const calls = corvus.receiver.callsTo('/large')
  assert.ok(calls.length > 2, String(calls.length))
  for (const { raw } of calls) assert.ok(Buffer.byteLength(raw) < 1024 * 1024 + 1000)
  assert.equal(new Set(calls.map(({ body }) => body.delivery)).size, calls.length)
  const events = calls.flatMap(({ body }) => body.events)
  assert.equal(events.length, 31, 'none twice')
  assert.equal(events.filter(({ data }) => data === null).length, 1)
})

test('the number of statements per body does not depend on its number of events', async () => {
  const query = 'tags:bulk'
  await corvus.webhook('bulk', { collections: ['entities'], query })
  const tell = async (count: number, path = '/bulk'): Promise<number> => {
    const before = corvus.receiver.eventsAt(path).length
    const items = Array.from({ length: count }, (_, i) => corvus.indicator(`Bulk ${i}`, { meta: { tags: ['bulk'] } }))
    assert.equal((await corvus.call('PUT', 'entities', items)).status, 201)
    await corvus.settle()
    statements = 0
    const calls = corvus.receiver.callsTo(path).length
    const process = corvus.startProcess()
    await until(() => corvus.receiver.eventsAt(path).length === before + count, 'not delivered')
    await process.stop()
    return statements / (corvus.receiver.callsTo(path).length - calls)
  }
  await corvus.pool.query(`update webhooks set is_active = name = 'bulk'`)
  const few = await tell(2)
  const many = await tell(499)
  assert.ok(Math.abs(many - few) <= 2, `${few} statements for 2 events, ${many} for 499`)
  const bulk = await tell(3000)
  assert.ok(bulk <= few + 2, `${few} statements for 2 events, ${bulk} a body for 3,000`)
  const told = corvus.receiver.eventsAt('/bulk').map(({ object }) => object)
  assert.equal(new Set(told).size, 3501)
})
