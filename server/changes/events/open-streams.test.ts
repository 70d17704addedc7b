import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'
import { openEventStream } from '../../../test/event-stream.ts'
import { until } from '../../../test/until.ts'

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

/** A new group; only the administrator of the tests sees its source. */
async function hiddenGroup(name: string) {
  const group = await make('groups', { name })
  const joined = await corvus.call('PUT', `groups/${group.id}/users/${await userOf(corvus.admin)}`)
  assert.equal(joined.status, 200, JSON.stringify(joined.body))
  return group
}

test('invalid requests are refused before the stream begins, and every error is named', async () => {
  const ask = (query: string, token?: string, headers = {}) =>
    corvus.call('GET', `events${query}`, undefined, token, headers)
  const { status, body } = await ask('?collections=users&kinds=burn&include_object=1&query=x')
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail.split(':')[0]),
    ['collections', 'kinds', 'query', 'include_object'],
  )
  assert.equal((await ask('?collections=entities,observables&query=x')).status, 400)
  assert.equal((await ask('?collections=tickets&query=x')).status, 400)
  assert.equal((await ask('?collections=entities&query=(')).status, 400)
  assert.equal((await ask('?after=nonsense')).status, 400)
  assert.equal((await ask('', undefined, { 'last-event-id': 'A'.repeat(22) })).status, 400)
  const poor = await corvus.tokenFor(['read tickets'])
  const refused = await ask('?collections=tickets,entities,observables', poor)
  assert.equal(refused.status, 403)
  assert.equal(refused.body[0].detail, 'Missing permissions: [read entities, read extracts]')
  assert.equal((await ask('', await corvus.tokenFor([]))).status, 403)
  assert.equal((await corvus.call('GET', 'events', undefined, null)).status, 401)
  assert.equal((await corvus.call('POST', 'events', {})).status, 405)
  assert.equal((await corvus.call('HEAD', 'events')).status, 200)
})

test('a position that is no longer in the history is a 410', async () => {
  const stream = await open('?collections=tickets')
  await make('tickets', { name: 'Soon forgotten' })
  const [event] = await stream.first(1)
  await stream.close()
  await corvus.pool.query('delete from changes')
  const { status, body } = await corvus.call('GET', `events?after=${event?.id}`)
  assert.equal(status, 410)
  assert.match(body[0].detail, /older than the retained history/)
})

test('a user can open at most five streams, and another one once one is closed', async () => {
  const token = await corvus.tokenFor(READER)
  const streams = await Promise.all(Array.from({ length: 5 }, () => open('', token)))
  assert.deepEqual(
    streams.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  const { status, body } = await corvus.call('GET', 'events', undefined, token)
  assert.equal(status, 429)
  assert.match(body[0].detail, /5 open streams/)
  const other = await open('', await corvus.tokenFor(READER))
  assert.equal(other.status, 200)
  await streams[0]?.close()
  await until(async () => {
    const stream = await open('', token)
    await stream.close()
    return stream.status === 200
  }, 'a place does not become free')
  await Promise.all([other, ...streams].map((stream) => stream.close()))
})

test('a stream ends when its token or a required permission is revoked', async () => {
  const revoked = await corvus.tokenFor(READER)
  const demoted = await corvus.tokenFor(READER)
  const [first, second] = await Promise.all([open('', revoked), open('?collections=tickets,entities', demoted)])
  await corvus.pool.query('delete from tokens where user_id = $1', [await userOf(revoked)])
  await corvus.pool.query(
    `delete from role_permissions where target = (select id from permissions where name = 'read entities')
      and source in (select source from role_users where target = $1)`,
    [await userOf(demoted)],
  )
  const after = await make('tickets', { name: 'After that' })
  assert.equal((await first.ended())?.status, 401)
  assert.deepEqual(await second.ended(), { status: 403, reason: 'Your permissions have changed.' })
  assert.ok(!JSON.stringify([first.events, second.events]).includes(url(`tickets/${after.id}`)))
})

test('a user who gains access gets more events on the same stream', async () => {
  const reader = await corvus.tokenFor(READER)
  const group = await hiddenGroup('Opened later')
  const stream = await open('?collections=entities', reader)
  const entity = await make('entities', indicator('Later', { sources: [group.source] }))
  const marker = await make('entities', indicator('Marker'))
  await stream.upTo(url(`entities/${marker.id}`))
  assert.equal(stream.events.length, 1)
  await corvus.call('PUT', `groups/${group.id}/users/${await userOf(reader)}`)
  await corvus.call('PATCH', `entities/${entity.id}`, { data: { title: 'Now' } })
  await stream.upTo(url(`entities/${entity.id}`))
  await stream.close()
})
