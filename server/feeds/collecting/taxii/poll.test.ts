import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Collected, startCollecting } from '../../../../test/set-up/collecting.ts'
import { startServer } from '../../../../test/set-up/hostile-server.ts'
import { COLLECTION, startTaxiiServer } from '../../../../test/set-up/taxii-server.ts'

const { collect, stop } = startCollecting()
let server: Awaited<ReturnType<typeof startTaxiiServer>>
let configuration: { url: string; collection_id: string }

const idsOf = (pieces: readonly Collected[]): string[] =>
  pieces.flatMap(({ text }) => JSON.parse(text).objects.map(({ id }: { id: string }) => id))
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `indicator--${from + at}`)

before(async () => {
  server = await startTaxiiServer()
  server.add(8)
  configuration = { url: `${server.url}/api/`, collection_id: COLLECTION }
})

beforeEach(() => {
  server.is({})
  server.queries()
})

after(async () => {
  await stop()
  await server.stop()
})

test('a collection is polled page by page, and after that only for what was added since', async () => {
  const { pieces, cursor } = await collect('taxii2', configuration)
  assert.deepEqual(idsOf(pieces), ids(0, 8))
  assert.deepEqual(
    pieces.map(({ name, contentType }) => [name, contentType]),
    [1, 2, 3].map((page) => [`${COLLECTION} page ${page}.json`, 'application/taxii+json;version=2.1']),
  )
  assert.equal(cursor?.added_after, '2024-01-01T00:00:07.000001Z')
  assert.deepEqual((await collect('taxii2', configuration, { cursor })).pieces, [])
  server.add(1)
  const later = await collect('taxii2', configuration, { cursor })
  assert.deepEqual(idsOf(later.pieces), ['indicator--8'])
  assert.equal(later.cursor?.added_after, '2024-01-01T00:00:08.000001Z')
})

test('the first poll uses the configured start and page size', async () => {
  const added_after = '2024-01-01T00:00:04.5Z'
  const { pieces } = await collect('taxii2', { ...configuration, added_after, page_size: 2 })
  assert.deepEqual(idsOf(pieces), ids(5, 9))
  assert.deepEqual(
    server.queries().map(({ limit, added_after: from }) => [limit, from]),
    [
      ['2', added_after],
      ['2', added_after],
    ],
  )
})

test('the collection is found by its alias, by discovery, and without a list of collections', async () => {
  const found = { pieces: 3 }
  const polls = [
    { url: `${server.url}/api`, collection_id: 'threats' },
    { url: `${server.url}/taxii2/`, collection_id: COLLECTION.toUpperCase() },
  ]
  for (const poll of polls) assert.equal((await collect('taxii2', poll)).pieces.length, found.pieces)
  server.is({ roots: ['/missing/', `${server.url}/api/`] })
  assert.equal((await collect('taxii2', { ...configuration, url: `${server.url}/taxii2/` })).pieces.length, 3)
  server.is({ withoutList: true })
  assert.equal((await collect('taxii2', configuration)).pieces.length, 3)
})

test('an API root that must not be called is skipped, and is an error if there is no other', async () => {
  const url = `${server.url}/taxii2/`
  server.is({ roots: ['http://169.254.169.254/', 'http://10.0.0.1/'], withoutDefault: true })
  await assert.rejects(collect('taxii2', { ...configuration, url }), { kind: 'refused-address' })
})

test('a collection that does not exist or may not be read is reported as such', async () => {
  await assert.rejects(collect('taxii2', { ...configuration, collection_id: 'other' }), { kind: 'not-found' })
  await assert.rejects(collect('taxii2', { ...configuration, collection_id: 'closed' }), { kind: 'authentication' })
})

test('an interrupted poll continues at its position, and starts over if the server no longer accepts it', async () => {
  const broken = await collect('taxii2', configuration, { breaksAfter: 1 })
  const rest = await collect('taxii2', configuration, { cursor: broken.cursor })
  assert.deepEqual([...idsOf(broken.pieces), ...idsOf(rest.pieces)], ids(0, 9))
  const cursor = { ...broken.cursor, next: 'forgotten' }
  const restarted = await collect('taxii2', configuration, { cursor })
  assert.deepEqual(idsOf(restarted.pieces), ids(0, 9))
  assert.match(restarted.log.join(), /starts over/)
})

test('another collection or server is polled from the beginning', async () => {
  const { cursor } = await collect('taxii2', configuration)
  const other = await collect('taxii2', { ...configuration, collection_id: 'threats' }, { cursor })
  assert.deepEqual(idsOf(other.pieces), ids(0, 9))
})

test('without a next value, a poll continues from the date of the last page, or from the start of the poll', async () => {
  server.is({ withoutNext: true })
  assert.deepEqual(idsOf((await collect('taxii2', configuration)).pieces), ids(0, 9))
  server.is({ withoutDates: true })
  const { pieces, cursor } = await collect('taxii2', configuration)
  assert.deepEqual(idsOf(pieces), ids(0, 9))
  const since = Date.now() - Date.parse(String(cursor?.added_after))
  assert.ok(since > 50_000 && since < 300_000, `${since}`)
  server.is({ withoutDates: true, withoutNext: true })
  await assert.rejects(collect('taxii2', configuration), { kind: 'malformed', message: /more, but not where/ })
})

test('a poll of a server with endless pages ends', async () => {
  server.is({ sameNext: true })
  await assert.rejects(collect('taxii2', configuration), { kind: 'malformed', message: /same page again/ })
  server.is({ isEmptyForever: true })
  await assert.rejects(collect('taxii2', configuration), { kind: 'malformed', message: /empty page/ })
  assert.ok(server.queries().length < 30)
})

test('responses that are not TAXII are reported as such', async () => {
  for (const [body, message] of [
    ['<html>', /did not return JSON/],
    ['[]', /envelope/],
    ['{"objects": {}}', /envelope/],
    ['"x"', /envelope/],
    [JSON.stringify({ objects: [{}], more: true, next: 'x'.repeat(5000) }), /more than 4000 characters/],
  ] as const) {
    const wrong = await startServer((request, response) => {
      response.writeHead(request.url?.includes('/objects/') ? 200 : 404).end(body)
    })
    await assert.rejects(collect('taxii2', { ...configuration, url: wrong.url }), { kind: 'malformed', message })
    await wrong.stop()
  }
  const old = await startServer((_, response) => void response.writeHead(406).end())
  await assert.rejects(collect('taxii2', { ...configuration, url: old.url }), { kind: 'configuration' })
  await old.stop()
})
