import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Collected, startCollecting } from '../../../test/set-up/collecting.ts'
import { startServer } from '../../../test/set-up/hostile-server.ts'

const { collect, stop } = startCollecting()
let server: Awaited<ReturnType<typeof startServer>>
let manifest: Record<string, unknown> = {}
let broken = new Map<string, number>()

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const entry = (timestamp: number, more = {}) => ({ info: 'An event', timestamp: String(timestamp), ...more })
const namesOf = (pieces: readonly Collected[]) => pieces.map(({ name }) => name)
const files = (...numbers: number[]) => numbers.map((number) => `${uuid(number)}.json`)

before(async () => {
  server = await startServer(({ url = '' }, response) => {
    const name = url.split('?')[0]?.split('/').at(-1) ?? ''
    const id = name.replace('.json', '')
    if (name === 'manifest.json') response.end(JSON.stringify(manifest))
    else if (broken.get(id) === 0)
      response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy())
    else if (broken.has(id)) response.writeHead(broken.get(id) ?? 500).end()
    else response.setHeader('content-type', 'application/json').end(`{"Event": {"uuid": "${id}"}}`)
  })
})

beforeEach(() => {
  manifest = { [uuid(2)]: entry(20), [uuid(1)]: entry(10), [uuid(3)]: entry(30) }
  broken = new Map()
  server.asked.length = 0
})

after(async () => {
  await stop()
  await server.stop()
})

test('each event is fetched once, oldest first, and again when it has changed or arrives late', async () => {
  const url = `${server.url}/feed?key=k`
  const { pieces, cursor } = await collect('misp-feed', { url })
  assert.deepEqual(namesOf(pieces), files(1, 2, 3))
  assert.deepEqual([pieces[0]?.text, pieces[0]?.contentType], [`{"Event": {"uuid": "${uuid(1)}"}}`, 'application/json'])
  assert.deepEqual(
    server.asked.map(({ url }) => url),
    ['manifest.json', ...files(1, 2, 3)].map((name) => `/feed/${name}?key=k`),
  )
  assert.deepEqual((await collect('misp-feed', { url }, { cursor })).pieces, [])
  manifest = { ...manifest, [uuid(2)]: entry(40), [uuid(4)]: entry(5) }
  const later = await collect('misp-feed', { url }, { cursor })
  assert.deepEqual(namesOf(later.pieces), files(4, 2))
  assert.deepEqual((await collect('misp-feed', { url }, { cursor: later.cursor })).pieces, [])
})

test('the address can be that of the manifest', async () => {
  assert.equal((await collect('misp-feed', { url: `${server.url}/a/manifest.json` })).pieces.length, 3)
  assert.equal(server.asked.at(-1)?.url, `/a/${uuid(3)}.json`)
})

test('only events with the configured tags, or only published ones, are fetched', async () => {
  manifest = {
    [uuid(1)]: entry(1, { Tag: [{ name: 'tlp:white' }, { name: 'TLP:Clear' }] }),
    [uuid(2)]: entry(2, { Tag: [{ name: 'tlp:red' }, null], published: false }),
    [uuid(3)]: entry(3, { Tag: 'tlp:clear', published: true }),
  }
  const { url } = server
  const tagged = await collect('misp-feed', { url, tags: ['tlp:clear', 'tlp:RED'] })
  assert.deepEqual(namesOf(tagged.pieces), files(1, 2))
  assert.deepEqual(namesOf((await collect('misp-feed', { url, published_only: true })).pieces), files(1, 3))
  // What one filter excluded is fetched after the filter has changed.
  const all = await collect('misp-feed', { url }, { cursor: tagged.cursor })
  assert.deepEqual(namesOf(all.pieces), files(3))
})

test('an event that cannot be fetched is logged, and fetched by the next run', async () => {
  const { url } = server
  broken.set(uuid(2), 0).set(uuid(1), 404)
  const first = await collect('misp-feed', { url })
  assert.deepEqual(namesOf(first.pieces), files(3))
  assert.equal(first.log.length, 2)
  broken.clear()
  assert.deepEqual(namesOf((await collect('misp-feed', { url }, { cursor: first.cursor })).pieces), files(1, 2))
})

test('an interrupted run continues after what it stored', async () => {
  const { url } = server
  const { cursor } = await collect('misp-feed', { url }, { breaksAfter: 2 })
  assert.deepEqual(namesOf((await collect('misp-feed', { url }, { cursor })).pieces), files(3))
})

test('a server that rejects the credentials for one event, or fails for many, gets no more requests', async () => {
  const { url } = server
  manifest = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [uuid(at), entry(at + 1)]))
  broken.set(uuid(1), 429)
  await assert.rejects(collect('misp-feed', { url }), { kind: 'rate-limited' })
  assert.equal(server.asked.length, 3)
  broken = new Map(Object.keys(manifest).map((id) => [id, 500]))
  server.asked.length = 0
  await assert.rejects(collect('misp-feed', { url }), { kind: 'server' })
  assert.equal(server.asked.length, 11)
})

test('names that are not UUIDs do not become part of an address', async () => {
  manifest = {
    '../../secret': entry(1),
    ['__proto__']: entry(1),
    [`${uuid(1)}/x`]: entry(1),
    [uuid(2)]: { timestamp: 'x' },
  }
  const { pieces, log } = await collect('misp-feed', { url: server.url })
  assert.deepEqual([pieces.length, server.asked.length, log.length], [0, 1, 1])
  for (const odd of [[], 'x', null]) {
    manifest = odd as never
    await assert.rejects(collect('misp-feed', { url: server.url }), { kind: 'malformed' })
  }
})

test('a feed with a new address starts from the beginning', async () => {
  const { cursor } = await collect('misp-feed', { url: `${server.url}/old` })
  assert.deepEqual(
    namesOf((await collect('misp-feed', { url: `${server.url}/new` }, { cursor })).pieces),
    files(1, 2, 3),
  )
})
