import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { startApp } from './app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

interface Ticket {
  readonly id: number
}

const sorts = [
  '',
  'id',
  '-id',
  'name',
  '-created_at',
  'priority',
  '-priority,name',
  'due_at,-status',
  '-due_at,-id,name',
]

test('a cursor walk during inserts and deletes returns every row that exists throughout exactly once', async () => {
  const priority = fc.constantFrom('LOW', 'HIGH', null)
  const due_at = fc.constantFrom('2026-01-01', '2026-02-01', null)
  const rows = fc.array(fc.record({ priority, due_at, isDoomed: fc.boolean() }), { minLength: 0, maxLength: 40 })
  let world = 0
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(...sorts), fc.integer({ min: 1, max: 9 }), async (drawn, sort, limit) => {
      const stamp = `w${++world}`
      const items = drawn.map(({ priority, due_at }, i) => ({
        name: `${stamp} ${i}`,
        description: stamp,
        priority,
        due_at,
      }))
      const made: Ticket[] = items.length > 0 ? (await corvus.call('PUT', 'tickets', items)).body.data : []
      const doomed = made.filter((_, i) => drawn[i]?.isDoomed).map(({ id }) => id)
      const seen: number[] = []
      let cursor: string | null = null
      for (let step = 0; step === 0 || cursor; step++) {
        const page: string = cursor ? `&page[cursor]=${cursor}` : ''
        const { status, body } = await corvus.call(
          'GET',
          `tickets?filter[description]=${stamp}&sort=${sort}&limit=${limit}${page}`,
        )
        assert.equal(status, 200)
        seen.push(...body.data.map(({ id }: Ticket) => id))
        cursor = body.cursor
        const victim = doomed[step]
        await Promise.all([
          victim === undefined ? undefined : corvus.call('DELETE', `tickets/${victim}`),
          corvus.call('POST', 'tickets', {
            name: `${stamp} new ${step}`,
            description: step < 5 ? stamp : '',
            priority: 'HIGH',
          }),
        ])
      }
      assert.equal(new Set(seen).size, seen.length, 'no row twice')
      const lasting = made.filter(({ id }) => !doomed.includes(id)).map(({ id }) => id)
      assert.deepEqual(
        lasting.filter((id) => !seen.includes(id)),
        [],
        'no row missed',
      )
    }),
    { numRuns: 60 },
  )
})

test('a walk without concurrent writes returns as many rows as total_count, in the order of one large page', async () => {
  const items = Array.from({ length: 250 }, (_, i) => ({
    name: `walk ${i}`,
    description: 'walk',
    priority: i % 3 ? 'LOW' : null,
  }))
  await corvus.call('PUT', 'tickets', items)
  for (const sort of sorts) {
    const query = `tickets?filter[description]=walk&sort=${sort}&attributes=id`
    const whole = (await corvus.call('GET', `${query}&limit=1000`)).body
    const walked: number[] = []
    let cursor: string | null = null
    do {
      const { body } = await corvus.call('GET', `${query}&limit=17${cursor ? `&page[cursor]=${cursor}` : ''}`)
      assert.equal(body.total_count, 250)
      walked.push(...body.data.map(({ id }: Ticket) => id))
      cursor = body.cursor
    } while (cursor)
    assert.deepEqual(
      walked,
      whole.data.map(({ id }: Ticket) => id),
      sort,
    )
    assert.equal(walked.length, 250)
  }
})

test('a cursor is valid only for its own query and sort', async () => {
  await corvus.call('PUT', 'tickets', [
    { name: 'c1', description: 'c' },
    { name: 'c2', description: 'c' },
  ])
  const { body } = await corvus.call('GET', 'tickets?filter[description]=c&limit=1&sort=name')
  assert.equal(
    (await corvus.call('GET', `tickets?filter[description]=c&sort=name&page[cursor]=${body.cursor}`)).status,
    200,
  )
  assert.equal(
    (await corvus.call('GET', `tickets?filter[description]=d&sort=name&page[cursor]=${body.cursor}`)).status,
    400,
  )
  assert.equal(
    (await corvus.call('GET', `tickets?filter[description]=c&sort=-name&page[cursor]=${body.cursor}`)).status,
    400,
  )
  assert.equal((await corvus.call('GET', `workspaces?sort=name&page[cursor]=${body.cursor}`)).status, 400)
})

test('totals are exact up to the cap, and beyond it never below the cap', async () => {
  const items = Array.from({ length: 60 }, (_, i) => ({ name: `total ${i}`, description: 'total' }))
  await corvus.call('PUT', 'tickets', items)
  const total = async (cap: string) =>
    (await corvus.call('GET', `tickets?filter[description]=total&limit=1&meta[total_resources_aggregated]=${cap}`)).body
      .total_count
  assert.equal(await total('0'), 60)
  assert.equal(await total('60'), 60)
  assert.ok((await total('20')) > 20)
  assert.equal((await corvus.call('GET', 'tickets?filter[description]=total&limit=1')).body.total_count, 60)
})
