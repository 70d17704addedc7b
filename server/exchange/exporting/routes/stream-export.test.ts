import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { startApp } from '../../../../test/app.ts'
import { until } from '../../../../test/until.ts'

type Item = Record<string, unknown>

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
  const items = Array.from({ length: 1500 }, (_, i) => ({
    data: { type: 'report', title: `plover ${i}`, description: 'x'.repeat(10_000) },
    meta: { tlp_color: i % 2 === 0 ? 'RED' : 'GREEN' },
  }))
  assert.equal((await corvus.call('PUT', 'entities', items)).status, 201)
  await corvus.app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => corvus.stop())

const TITLES = 'entities/export?include_fields=data.title'

/** An export over a separate socket, of which nothing has been read yet. */
async function begin(path: string, token = corvus.admin): Promise<IncomingMessage> {
  const { port } = corvus.app.server.address() as AddressInfo
  const headers = { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    get({ port, path: `/api/v2/${path}`, headers, agent: false }, resolve).on('error', reject)
  })
}

const refusal = async (path: string, token?: string) => {
  const { status, body } = await corvus.call('GET', path, undefined, token)
  return [status, ...body.map(({ detail }: { detail: string }) => detail.slice(0, 80))]
}

test('the response is a document of the entities that filters and query find', async () => {
  const { status, body, headers } = await corvus.call(
    'GET',
    `${TITLES}&query=data.title:"plover 7"&filter[meta.tlp_color]=GREEN`,
  )
  assert.equal(status, 200)
  assert.equal(body, 'data.title\r\nplover 7\r\n')
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present')
  assert.match(String(headers['content-disposition']), /^attachment; filename="corvus-\d{8}-\d{6}\.csv"/)
  const all = await corvus.call('GET', TITLES)
  assert.equal(all.body.split('\r\n').length, 1502)
})

test('the configuration is JSON, and its errors name their location', async () => {
  const kept = encodeURIComponent(JSON.stringify({ tlp_color_filter: 'GREEN' }))
  const { body } = await corvus.call('GET', `${TITLES}&content_configuration=${kept}`)
  assert.equal(body.split('\r\n').length, 752)
  const wrong = encodeURIComponent(JSON.stringify({ attachments: { include: 'x' } }))
  assert.deepEqual(await refusal(`${TITLES}&content_configuration=${wrong}`), [
    400,
    "content_configuration.attachments.include: must be of type boolean, not 'x'",
  ])
  const [status, detail] = await refusal(`${TITLES}&content_configuration={`)
  assert.equal(status, 400)
  assert.match(String(detail), /^content_configuration: must be JSON/)
})

test('invalid exports are refused before the document begins', async () => {
  assert.deepEqual(await refusal('entities/export'), [
    400,
    'content_type: is required, unless there are include_fields',
  ])
  assert.deepEqual(await refusal('entities/export?include_fields=nonsense').then((list) => list.slice(0, 2)), [
    400,
    "include_fields[0]: 'nonsense' is not a field of entities",
  ])
  assert.equal((await refusal(`${TITLES}&query=a:[`))[0], 400)
  assert.equal((await refusal(`${TITLES}&filter[nonsense]=1`))[0], 400)
  const token = await corvus.tokenFor(['read entities'])
  assert.deepEqual(await refusal(TITLES, token), [403, 'Missing permissions: [read extracts]'])
  assert.equal((await corvus.call('HEAD', TITLES)).status, 200)
})

test('the number of losses is reported when the document has ended', async () => {
  const answer = await begin(TITLES)
  for await (const _ of answer);
  assert.deepEqual([answer.trailers['x-corvus-entities'], answer.trailers['x-corvus-losses']], ['1500', '0'])
})

test('a reader that is slow or goes away holds no connection to the database', async () => {
  const path = 'entities/export?include_fields=data.title,data.description'
  const readers = await Promise.all(Array.from({ length: 12 }, () => begin(path)))
  for (const reader of readers) reader.pause()
  await until(() => corvus.pool.idleCount === corvus.pool.totalCount, 'a connection is held')
  const [first, ...others] = readers
  assert.ok(first)
  for (const reader of others) {
    reader.on('error', () => {})
    reader.destroy()
  }
  let bytes = 0
  for await (const piece of first) bytes += piece.length
  assert.ok(bytes > 15_000_000)
  await until(() => corvus.pool.idleCount === corvus.pool.totalCount, 'a connection is held')
})

test('an export is cut off when its caller loses permission, and is recognisably incomplete', async () => {
  const token = await corvus.tokenFor(['read entities', 'read extracts'])
  const answer = await begin('entities/export?include_fields=data.title,data.description', token)
  answer.pause()
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data as Item
  assert.equal((await corvus.call('PATCH', `users/${id}`, { data: { is_active: false } })).status, 200)
  await until(async () => (await corvus.call('GET', 'users/self', undefined, token)).status === 401, 'still active')
  await assert.rejects(async () => {
    for await (const _ of answer);
  })
})
