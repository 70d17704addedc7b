import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'
import { openEventStream } from '../../../test/event-stream.ts'

const READER = ['read entities', 'read extracts', 'read tickets']

let corvus: Awaited<ReturnType<typeof startApp>>
let address: string
before(async () => {
  corvus = await startApp()
  address = await corvus.app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => corvus.stop())

const open = (query: string, token = corvus.admin, headers = {}) =>
  openEventStream(`${address}/api/v2/events${query}`, token, headers)

const make = async (path: string, item: unknown) => {
  const { status, body } = await corvus.call('POST', path, { data: item })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const indicator = (title: string, more = {}) => ({
  data: { type: 'indicator', title, id: `{https://x.test/}indicator-${crypto.randomUUID()}` },
  ...more,
})

const url = (path: string) => `${BASE}/api/v2/${path}`
const userOf = async (token: string) => (await corvus.call('GET', 'users/self', undefined, token)).body.data.id
const brief = (events: readonly { kind: string; object: string }[]) => events.map(({ kind, object }) => [kind, object])

/** A new group; only the administrator of the tests sees its source. */
async function hiddenGroup(name: string) {
  const group = await make('groups', { name })
  const joined = await corvus.call('PUT', `groups/${group.id}/users/${await userOf(corvus.admin)}`)
  assert.equal(joined.status, 200, JSON.stringify(joined.body))
  return group
}

test('creations, changes and deletions arrive in order, and a client that reconnects gets only the rest', async () => {
  const stream = await open('?collections=tickets')
  assert.equal(stream.status, 200)
  assert.match(String(stream.headers.get('content-type')), /^text\/event-stream/)
  assert.equal(stream.headers.get('cache-control'), 'no-store')
  assert.equal(stream.headers.get('content-encoding'), null)
  const one = await make('tickets', { name: 'One' })
  await corvus.call('PATCH', `tickets/${one.id}`, { status: 'CLOSED' })
  const two = await make('tickets', { name: 'Two' })
  await corvus.call('PUT', 'tickets', [{ name: 'Three' }, { name: 'Four' }])
  const events = (await stream.first(5)).slice()
  assert.deepEqual(brief(events.slice(0, 3)), [
    ['create', url(`tickets/${one.id}`)],
    ['update', url(`tickets/${one.id}`)],
    ['create', url(`tickets/${two.id}`)],
  ])
  assert.deepEqual(Object.keys(events[0] ?? {}), ['id', 'at', 'user', 'resource', 'kind', 'object'])
  assert.equal(events[0]?.user, url(`users/${await userOf(corvus.admin)}`))
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length)
  await stream.close()
  for (const [i, { id }] of events.entries()) {
    const byHeader = await open('?collections=tickets&after=nonsense', corvus.admin, { 'last-event-id': id })
    const byQuery = await open(`?collections=tickets&after=${id}`)
    const rest = events.slice(i + 1)
    assert.deepEqual((await byHeader.first(rest.length)).slice(0, rest.length), rest)
    assert.deepEqual((await byQuery.first(rest.length)).slice(0, rest.length), rest)
    await Promise.all([byHeader.close(), byQuery.close()])
  }
})

test('events of invisible objects are not sent: other sources, higher colours, and objects that became invisible', async () => {
  const group = await hiddenGroup('Hidden source')
  const home = (await corvus.call('GET', 'groups?filter[name]=Default')).body.data[0]
  const reader = await corvus.tokenFor(READER)
  const amber = await make('groups', {
    name: 'Amber only',
    users: [await userOf(reader)],
    sources: [`${group.source}?allowed_tlp=AMBER`],
  })
  assert.ok(amber.id)
  const [theirs, ours] = await Promise.all([open('?collections=entities', reader), open('?collections=entities')])
  const white = await make('entities', indicator('White', { sources: [group.source], meta: { tlp_color: 'WHITE' } }))
  const red = await make('entities', indicator('Red', { sources: [group.source], meta: { tlp_color: 'RED' } }))
  await corvus.call('PATCH', `entities/${white.id}`, { meta: { tlp_color: 'RED' } })
  await corvus.call('PATCH', `entities/${red.id}`, { data: { title: 'Redder' } })
  const last = await make('entities', indicator('Last', { sources: [home.source] }))
  await ours.upTo(url(`entities/${last.id}`))
  assert.deepEqual(brief(ours.events), [
    ['create', url(`entities/${white.id}`)],
    ['create', url(`entities/${red.id}`)],
    ['update', url(`entities/${white.id}`)],
    ['update', url(`entities/${red.id}`)],
    ['create', url(`entities/${last.id}`)],
  ])
  await theirs.upTo(url(`entities/${last.id}`))
  const heard = JSON.stringify(theirs.events)
  assert.ok(!heard.includes(red.id), heard)
  assert.equal(theirs.events.at(-1)?.user, null, 'users without the permission to read users do not see who did it')
  await Promise.all([theirs.close(), ours.close()])
})

test('a deletion is sent only to users whose current keys would show the object', async () => {
  const group = await hiddenGroup('Deleted from')
  const reader = await corvus.tokenFor(READER)
  const hidden = await make('entities', indicator('Hidden', { sources: [group.source] }))
  const [a, b] = [await make('entities', indicator('A')), await make('entities', indicator('B'))]
  const open1 = await make('observables', { type: 'domain', value: 'gone.example' })
  const hidden1 = await make('observables', { type: 'domain', value: 'hidden.example', sources: [group.source] })
  const relate = (source: string, target: string) =>
    make('relationships', { data: { source, target, key: 'related-to' }, sources: a.sources })
  const [seen, halfSeen] = [await relate(a.id, b.id), await relate(a.id, hidden.id)]
  const direct = await relate(b.id, a.id)
  const [theirs, ours] = await Promise.all([open('?kinds=delete', reader), open('?kinds=delete')])
  const remove = async (path: string) => assert.equal((await corvus.call('DELETE', path)).status, 204, path)
  await remove(`entities/${hidden.id}`)
  await remove(`relationships/${direct.id}`)
  await remove(`observables/${hidden1.id}`)
  await remove(`observables/${open1.id}`)
  await remove(`entities/${a.id}`)
  const gone = (path: string) => ['delete', url(path)]
  await ours.first(7)
  assert.deepEqual(brief(ours.events), [
    gone(`entities/${hidden.id}`),
    gone(`relationships/${halfSeen.id}`),
    gone(`relationships/${direct.id}`),
    gone(`observables/${hidden1.id}`),
    gone(`observables/${open1.id}`),
    gone(`entities/${a.id}`),
    gone(`relationships/${seen.id}`),
  ])
  await theirs.first(4)
  assert.deepEqual(brief(theirs.events), [
    gone(`relationships/${direct.id}`),
    gone(`observables/${open1.id}`),
    gone(`entities/${a.id}`),
    gone(`relationships/${seen.id}`),
  ])
  await Promise.all([theirs.close(), ours.close()])
})

test('an observable that other sources keep is deleted only for the user who deleted it', async () => {
  const group = await hiddenGroup('Keepers')
  const keeper = await corvus.tokenFor(['read extracts', 'modify extracts'])
  await corvus.pool.query('delete from group_users where target = $1', [await userOf(keeper)])
  await corvus.pool.query('insert into group_users (source, target) values ($1, $2)', [group.id, await userOf(keeper)])
  const stranger = await corvus.tokenFor(['read extracts', 'modify extracts'])
  const sources = [group.source, (await corvus.call('GET', 'groups?filter[name]=Default')).body.data[0].source]
  const shared = await make('observables', { type: 'domain', value: 'shared.example', sources })
  const marker = await make('observables', { type: 'domain', value: 'marker.example', sources })
  const [kept, lost] = await Promise.all([open('', keeper), open('?kinds=delete', stranger)])
  assert.equal((await corvus.call('DELETE', `observables/${shared.id}`, undefined, stranger)).status, 204)
  await corvus.call('PATCH', `observables/${marker.id}`, { meta: { maliciousness: 'high' } })
  assert.deepEqual(brief(await lost.first(1)), [['delete', url(`observables/${shared.id}`)]])
  await kept.upTo(url(`observables/${marker.id}`))
  assert.ok(!kept.events.some(({ kind }) => kind === 'delete'))
  await Promise.all([kept.close(), lost.close()])
})

test('the deletion of a ticket, dataset or workspace is sent only to users who could see it', async () => {
  const { id: workspace } = await make('workspaces', { name: 'For one', is_public: false })
  const ticket = await make('tickets', { name: 'For one', workspaces: [workspace] })
  const dataset = await make('datasets', { name: 'For one', workspaces: [workspace] })
  const permissions = ['read tickets', 'read intel-sets', 'read workspaces', 'read taxonomies']
  const collections = '?collections=tickets,datasets,workspaces,taxonomies&kinds=delete'
  const [own, foreign] = [await open(collections), await open(collections, await corvus.tokenFor(permissions))]
  const paths = [`tickets/${ticket.id}`, `datasets/${dataset.id}`, `workspaces/${workspace}`]
  for (const path of paths) assert.equal((await corvus.call('DELETE', path)).status, 204, path)
  const [node] = await make('taxonomies', { name: 'Told to all' })
  await corvus.call('DELETE', `taxonomies/${node.id}`)
  const last = `taxonomies/${node.id}`
  await own.upTo(url(last), 'delete')
  await foreign.upTo(url(last), 'delete')
  const told = (events: Parameters<typeof brief>[0]) => brief(events).map(([, object]) => object)
  assert.deepEqual(
    told(own.events).filter((object) => !object?.includes('/taxonomies/')),
    paths.map(url),
  )
  assert.deepEqual(told(foreign.events), [url(last)])
  await Promise.all([own.close(), foreign.close()])
})

test('a stream can be restricted by query and kinds, and contain the objects', async () => {
  const query = encodeURIComponent('tags:wanted')
  const found = await open(`?collections=entities&query=${query}&include_object=true`)
  const made = await open('?collections=entities&kinds=create')
  const other = await make('entities', indicator('Other', { meta: { tags: ['unwanted'] } }))
  const entity = await make('entities', indicator('Wanted', { meta: { tags: ['wanted'] } }))
  await made.upTo(url(`entities/${entity.id}`))
  await found.upTo(url(`entities/${entity.id}`))
  await corvus.call('PATCH', `entities/${entity.id}`, { data: { title: 'Wanted still' } })
  await found.upTo(url(`entities/${entity.id}`), 'update')
  await corvus.call('PATCH', `entities/${entity.id}`, { meta: { tags: ['unwanted'] } })
  await corvus.call('DELETE', `entities/${entity.id}`)
  await corvus.call('DELETE', `entities/${other.id}`)
  await found.upTo(url(`entities/${other.id}`), 'delete')
  assert.deepEqual(
    found.events.map(({ kind, object, data }) => [kind, object, data?.data.title ?? null]),
    [
      ['create', url(`entities/${entity.id}`), 'Wanted'],
      ['update', url(`entities/${entity.id}`), 'Wanted still'],
      ['delete', url(`entities/${entity.id}`), null],
      ['delete', url(`entities/${other.id}`), null],
    ],
  )
  await Promise.all([found.close(), made.close()])
  assert.deepEqual(brief(made.events), [
    ['create', url(`entities/${other.id}`)],
    ['create', url(`entities/${entity.id}`)],
  ])
})

test('the object in an event is the same as in the response to GET', async () => {
  const stream = await open('?collections=entities,observables&include_object=true')
  const entity = await make(
    'entities',
    indicator('Whole', { observables: [{ type: 'domain', value: 'whole.example' }] }),
  )
  const event = (await stream.upTo(url(`entities/${entity.id}`))).find(({ resource }) => resource === 'entities')
  const { relevancy: _, ...read } = (await corvus.call('GET', `entities/${entity.id}`)).body.data
  assert.partialDeepStrictEqual(event?.data, read)
  await stream.close()
})

test('a bulk write of thousands arrives completely, each object once', async () => {
  const stream = await open('?collections=entities')
  const items = Array.from({ length: 2500 }, (_, i) => indicator(`Bulk ${i}`))
  const { body } = await corvus.call('PUT', 'entities', items)
  await stream.first(2500)
  const ids: string[] = body.data.map(({ id }: { id: string }) => url(`entities/${id}`))
  assert.deepEqual(stream.events.map(({ object }) => object).toSorted(), ids.toSorted())
  const middle = stream.events[1234]?.id
  await stream.close()
  const again = await open(`?collections=entities&after=${middle}`)
  await again.first(1265)
  assert.deepEqual(again.events, stream.events.slice(1235))
  await again.close()
})
