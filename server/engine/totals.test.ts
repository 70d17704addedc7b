import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let reader: string

before(async () => {
  corvus = await startApp()
  reader = await corvus.tokenFor(['read entities', 'modify entities'])
  const { id } = (await corvus.call('GET', 'users/self', undefined, reader)).body.data
  const group = await corvus.call('POST', 'groups', { name: 'Readers' })
  await corvus.call('PATCH', `users/${id}`, { groups: [group.body.data.id] })
  await corvus.call('PUT', 'entities', [report('osprey one'), report('osprey two'), report('osprey three')], reader)
})
after(() => corvus.stop())

const report = (title: string) => ({ data: { type: 'report', title } })

const totals = async () => {
  const queries = ['osprey', 'osprey OR secret', 'osprey OR other', 'osprey AND NOT secret', '*']
  const asked = queries.flatMap((query) =>
    [1, 2].flatMap((cap) => ['limit=1', 'limit=1&offset=1', 'data=false'].map((page) => ({ query, cap, page }))),
  )
  return Promise.all(
    asked.map(async (each) => {
      const path = `entities?${each.page}&meta[total_resources_aggregated]=${each.cap}&query=${each.query}`
      const { body } = await corvus.call('GET', path, undefined, reader)
      return { ...each, total: body.total_count }
    }),
  )
}

test('a large total is estimated, and the estimate is close', async () => {
  const batch = (n: number) =>
    Array.from({ length: 3000 }, (_, i) => report(`${i % 2 === 0 ? 'even' : 'odd'} ${n} ${i}`))
  for (let n = 0; n < 4; n++) assert.equal((await corvus.call('PUT', 'entities', batch(n))).status, 201)
  await corvus.pool.query('analyze entities')
  const total = async (query: string, cap: number) =>
    (await corvus.call('GET', `entities?limit=1&meta[total_resources_aggregated]=${cap}&query=${query}`)).body
      .total_count
  assert.equal(await total('even', 0), 6000)
  assert.equal(await total('even', 100), 6000, 'up to 10,000 are counted, whatever is asked for')
  const exact = await total('*', 0)
  const about = await total('*', 100)
  assert.ok(exact > 10_000 && about > 0.8 * exact && about < 1.2 * exact, `${about} of ${exact}`)
  assert.equal(await total('*', 100), about)
})

test('totals do not depend on rows that the caller may not see, for any cap', async () => {
  for (const { query, cap, page, total } of await totals()) {
    assert.equal(total, 3, JSON.stringify({ query, cap, page }))
  }
})
