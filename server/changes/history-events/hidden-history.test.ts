import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

interface Event {
  readonly id: string
  readonly at: string
  readonly user: string | null
  readonly resource: string
  readonly kind: string
  readonly object: string
  readonly changes: Record<string, unknown>
}

async function eventsOf(object: string | number, query = '', token?: string): Promise<Event[]> {
  const { status, body } = await corvus.call(
    'GET',
    `history-events?filter[object]=${encodeURIComponent(object)}${query}`,
    undefined,
    token,
  )
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

const make = async (path: string, item: unknown, token?: string) => {
  const { status, body } = await corvus.call('POST', path, { data: item }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const url = (path: string) => `${BASE}/api/v2/${path}`

const indicator = (title: string, more = {}) => ({
  data: { type: 'indicator', title, id: `{https://x.test/}indicator-${crypto.randomUUID()}` },
  meta: { tags: ['a'] },
  ...more,
})

test('without read audit-trail, events have only field names, and deleted objects have none', async () => {
  const token = await corvus.tokenFor(['read history-events', 'read tickets', 'read entities'])
  const { id } = await make('tickets', { name: 'Names only' })
  await corvus.call('PATCH', `tickets/${id}`, { status: 'CLOSED' })
  const entity = await make('entities', indicator('Names only'))
  assert.deepEqual((await eventsOf(url(`tickets/${id}`), '', token))[1]?.changes, { status: null })
  assert.equal((await eventsOf(entity.id, '', token))[0]?.changes['data.title'], null)
  const [event] = await eventsOf(url(`tickets/${id}`), '', token)
  await corvus.call('DELETE', `tickets/${id}`)
  assert.deepEqual(await eventsOf(url(`tickets/${id}`), '', token), [])
  assert.equal((await corvus.call('GET', `history-events/${event?.id}`, undefined, token)).status, 404)
  assert.equal((await eventsOf(url(`tickets/${id}`))).length, 3)
})

test('events of invisible objects are hidden even with read audit-trail', async () => {
  const group = await corvus.blindGroup('Others')
  const entity = await make('entities', indicator('Hidden', { sources: [group.source] }))
  const ticket = await make('tickets', { name: 'Names a hidden one', workspaces: [1] })
  const own = await make('workspaces', { name: 'Own', is_public: false })
  await corvus.call('PUT', `tickets/${ticket.id}/workspaces/${own.id}`)
  const stranger = await corvus.tokenFor(['read history-events', 'read audit-trail', 'read entities', 'read tickets'])
  assert.deepEqual(await eventsOf(entity.id, '', stranger), [])
  assert.deepEqual(await eventsOf(url(`workspaces/${own.id}`), '', stranger), [])
  const link = (events: Event[]) => events.findLast(({ changes }) => changes.workspaces)?.changes.workspaces
  assert.deepEqual(link(await eventsOf(url(`tickets/${ticket.id}`))), {
    removed: [],
    added: [url(`workspaces/${own.id}`)],
  })
  // An event that only links it to objects they do not see is not listed.
  const [all, theirs] = [
    await eventsOf(url(`tickets/${ticket.id}`)),
    await eventsOf(url(`tickets/${ticket.id}`), '', stranger),
  ]
  assert.equal(theirs.length, all.length - 1)
  assert.deepEqual(link(theirs), { removed: [], added: [url('workspaces/1')] })
  const unread = await corvus.tokenFor(['read history-events', 'read audit-trail'])
  assert.equal((await corvus.call('GET', 'history-events', undefined, unread)).body.total_count, 0)
})

test('deleted objects stay hidden from users who could not see them, and visible to those who could', async () => {
  const group = await make('groups', { name: 'Keepers' })
  const adminId = (await corvus.call('GET', 'users/self')).body.data.id
  await corvus.call('PUT', `groups/${group.id}/users/${adminId}`)
  const sources = [group.source]
  const secret = await make('entities', indicator('Deleted secret', { sources }))
  const other = await make('entities', indicator('Deleted other', { sources }))
  const relationship = await make('relationships', {
    data: { source: secret.id, target: other.id, key: 'related-to' },
    sources,
  })
  const observable = await make('observables', { type: 'domain', value: 'deleted.example', sources })
  const workspace = await make('workspaces', { name: 'Deleted place', is_public: false })
  const dataset = await make('datasets', { name: 'Deleted set', workspaces: [workspace.id] })
  const ticket = await make('tickets', { name: 'Deleted ticket', workspaces: [workspace.id] })
  const open = await make('workspaces', { name: 'Deleted hall', is_public: true })
  const objects = [
    `relationships/${relationship.id}`,
    `entities/${secret.id}`,
    `entities/${other.id}`,
    `observables/${observable.id}`,
    `tickets/${ticket.id}`,
    `datasets/${dataset.id}`,
    `workspaces/${workspace.id}`,
  ]
  const permissions = ['history-events', 'audit-trail', 'entities', 'extracts', 'workspaces', 'intel-sets', 'tickets']
  const stranger = await corvus.tokenFor(permissions.map((name) => `read ${name}`))
  const eventIds: string[] = []
  for (const path of [...objects, `workspaces/${open.id}`]) {
    assert.equal((await corvus.call('DELETE', path)).status, 204, path)
    const events = await eventsOf(url(path))
    assert.deepEqual([events[0]?.kind, events.at(-1)?.kind], ['create', 'delete'], `${path} for who deleted it`)
    eventIds.push(...events.map(({ id }) => id))
  }
  for (const path of objects) assert.deepEqual(await eventsOf(url(path), '', stranger), [], path)
  assert.equal((await eventsOf(url(`workspaces/${open.id}`), '', stranger)).length, 2)
  const { body } = await corvus.call('GET', 'history-events?limit=2000', undefined, stranger)
  const seen = body.data.filter(({ id }: Event) => eventIds.includes(id))
  assert.deepEqual([...new Set(seen.map(({ object }: Event) => object))], [url(`workspaces/${open.id}`)])
  assert.ok(!/Deleted (secret|other|place|set|ticket)/.test(JSON.stringify(body)))
  const hidden = eventIds.filter((id) => !seen.some((event: Event) => event.id === id))
  for (const id of hidden) {
    assert.equal((await corvus.call('GET', `history-events/${id}`, undefined, stranger)).status, 404)
  }
})

test('a change does not reveal the previous state of an entity that was invisible', async () => {
  const group = await corvus.blindGroup('Earlier owners')
  const entity = await make('entities', indicator('Confidential', { sources: [group.source] }))
  const home = (await corvus.call('GET', 'groups?filter[name]=Default')).body.data[0].source
  const sources = [`${group.source}?allowed_tlp=RED`]
  await corvus.call('PATCH', `groups/${group.id}`, { data: { sources } })
  const { status } = await corvus.call('PATCH', `entities/${entity.id}`, { data: { title: 'Open' }, sources: [home] })
  assert.equal(status, 200)
  const stranger = await corvus.tokenFor(['read history-events', 'read audit-trail', 'read entities'])
  const events = await eventsOf(entity.id, '', stranger)
  assert.ok(events.length > 0)
  assert.ok(!JSON.stringify(events).includes('Confidential'))
  assert.ok(JSON.stringify(await eventsOf(entity.id)).includes('Confidential'))
})
