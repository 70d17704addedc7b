import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const counts = async (query: string, token?: string) => {
  const { status, body } = await corvus.call('GET', `aggregations/observables/counts?${query}`, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

test('observable values are counted among visible observables that match the query', async () => {
  const { source } = await corvus.blindGroup('Out of sight')
  const entity = (title: string, observables: object[], more: object = {}) => ({
    data: { type: 'malware', title },
    observables,
    ...more,
  })
  const data = [
    entity('seen', [
      { type: 'domain', value: 'a.example' },
      { type: 'domain', value: 'b.example' },
      { type: 'ipv4', value: '192.0.2.1', meta: { maliciousness: 'high' } },
    ]),
    entity('hidden', [{ type: 'domain', value: 'c.example' }], { sources: [source] }),
  ]
  assert.equal((await corvus.call('PUT', 'entities', { data })).status, 201)
  const token = await corvus.tokenFor(['read extracts'])
  assert.deepEqual(await counts('fields=type', token), [
    { count: 2, field: 'type', value: 'domain' },
    { count: 1, field: 'type', value: 'ipv4' },
  ])
  assert.deepEqual(await counts('fields=value,type,nothing&query=value:b*&limit=1', token), [
    { count: 1, field: 'value', value: 'b.example' },
    { count: 1, field: 'type', value: 'domain' },
  ])
})
