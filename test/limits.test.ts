import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { collections } from '../server/collections.ts'
import { resources } from '../server/registry.ts'
import { startApp } from './app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const times = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => text(n))
const details = (body: unknown) => (body as { detail: string }[]).map(({ detail }) => detail)

test('a list request has a bounded number of sort fields, filters and attributes', async () => {
  const sorts = (count: number) => `sort=${times(count, (n) => (n % 2 ? 'name' : '-status')).join(',')}`
  const filters = (count: number) => times(count, (n) => `filter[data.x${n}]=1`).join('&')
  const attributes = (count: number) => `attributes=${times(count, (n) => `a${n}`).join(',')}`
  for (const [path, refusal] of [
    [`tickets?${sorts(17)}`, 'sort: there can be at most 16, not 17.'],
    [`tickets?${sorts(60)}`, 'sort: there can be at most 16, not 60.'],
    [`tickets?${sorts(500)}`, 'sort: there can be at most 16, not 500.'],
    [`entities?${filters(65)}`, 'filter: there can be at most 64, not 65.'],
    [`tickets?${attributes(501)}`, 'attributes: there can be at most 500, not 501.'],
    [`users/self?${attributes(501)}`, 'attributes: there can be at most 500, not 501.'],
  ] as const) {
    const { status, body } = await corvus.call('GET', path)
    assert.deepEqual([status, details(body)], [400, [refusal]])
  }
  await corvus.call('PUT', 'tickets', [{ name: 'one' }, { name: 'two' }])
  const page = await corvus.call('GET', `tickets?limit=1&${sorts(16)}`)
  assert.equal(page.status, 200)
  const next = await corvus.call('GET', `tickets?limit=1&${sorts(16)}&page[cursor]=${page.body.cursor}`)
  assert.equal(next.status, 200, JSON.stringify(next.body))
  assert.equal((await corvus.call('GET', `entities?${filters(64)}`)).status, 200)
  assert.equal((await corvus.call('GET', `tickets?${attributes(500)}`)).status, 200)
})

for (const { collection, operations } of resources) {
  const { path } = collections[collection]
  const own = [
    ...(operations.update ? (['PATCH'] as const) : []),
    ...(operations.create ? (['POST'] as const) : []),
    ...(operations.upsert ? (['PUT'] as const) : []),
  ]
  if (own.length === 0) continue
  test(`a body whose data is null is a 400 for ${path}`, async () => {
    const { body } = await corvus.call('GET', `${path}?limit=1`)
    const id = body.data?.[0]?.id ?? (collections[collection].id === 'integer' ? 1 : crypto.randomUUID())
    for (const method of own) {
      for (const sent of [{ data: null }, null]) {
        const answer = await corvus.call(method, method === 'PATCH' ? `${path}/${id}` : path, JSON.stringify(sent))
        assert.equal(answer.status, 400, `${method} ${JSON.stringify(sent)}`)
      }
    }
  })
}
