import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startUnified } from '../../../test/set-up/unified-entities.ts'

let corvus: Awaited<ReturnType<typeof startUnified>>
/** Contributors of a unified entity; the tool of the first, the report about the second, and who has an observable in common. */
let one: string
let two: string
let unified: string
let tool: string
let report: string
let sharer: string
let datasets = 0
let compareOutside: () => Promise<void>

interface Query {
  readonly start: object
  readonly hops: readonly object[]
  readonly include?: string
  readonly consolidation?: string
}

/** The entities of a dataset with a relational query. */
async function reached(query: Query, token?: string): Promise<string[]> {
  datasets += 1
  const dataset = await corvus.post('datasets', {
    name: `Dataset ${datasets}`,
    workspaces: [1],
    relational_query: query,
  })
  const { data } = await corvus.get(`entities?filter[datasets]=${dataset.id}`, token)
  assert.deepEqual(dataset.relational_query.consolidation, query.consolidation)
  if (token === undefined) assert.equal(dataset.entities_count, data.length)
  return data.map(({ id }: { id: string }) => id).sort()
}

const from = (...entities: string[]) => ({ entities })
const sorted = (...ids: string[]) => ids.sort()

before(async () => {
  corvus = await startUnified()
  const { first, second } = corvus.sources
  const observables = [{ type: 'domain', value: 'bear.example' }]
  one = await corvus.make(first, 'Fancy Bear', { meta: { tags: ['left'] } })
  two = await corvus.make(second, 'Fancy Bear', { observables })
  tool = await corvus.make(first, 'Tool', { data: { type: 'tool' } })
  report = await corvus.make(first, 'Report', { data: { type: 'report' } })
  sharer = await corvus.make(first, 'Sharer', { data: { type: 'report' }, observables })
  await corvus.relate(one, 'uses', tool)
  await corvus.relate(report, 'mentions', two)
  const hops = [{ via: 'both', depth: 3 }]
  const { id } = await corvus.post('datasets', {
    name: 'Around',
    workspaces: [1],
    relational_query: { start: { query: 'bear OR tool' }, hops, include: 'all', consolidation: 'unified' },
  })
  compareOutside = await corvus.rememberOutside([
    ['GET', `entities?filter[datasets]=${id}&sort=created_at`],
    ['GET', `datasets/${id}`],
  ])
  unified = await corvus.unify([one, two], 'Fancy Bear')
})
after(() => corvus.stop())

test('a step from a unified entity follows the relationships of its contributors', async () => {
  assert.deepEqual(await reached({ start: from(unified), hops: [{}] }), sorted(tool, report))
  assert.deepEqual(await reached({ start: from(unified), hops: [{ direction: 'out' }] }), [tool])
  assert.deepEqual(await reached({ start: from(one), hops: [{}] }), [tool])
})

test('a step that reaches a unified entity reaches its contributors', async () => {
  const found = await reached({ start: from(sharer), hops: [{ via: 'observables' }] })
  assert.deepEqual(found, sorted(one, two, unified))
  const hops = [{ via: 'observables', query: 'tags:left' }]
  assert.deepEqual(await reached({ start: from(sharer), hops }), sorted(one, unified))
  assert.deepEqual(await reached({ start: from(sharer), hops: [...hops, {}] }), sorted(tool, report))
})

test('with unified, the contributors are one: each stands for all, and results become the unified entity', async () => {
  const consolidation = 'unified'
  assert.deepEqual(await reached({ start: from(one), hops: [{}], consolidation }), sorted(tool, report))
  assert.deepEqual(await reached({ start: from(tool), hops: [{}], consolidation }), [unified])
  assert.deepEqual(await reached({ start: from(tool), hops: [{}, {}], consolidation }), sorted(tool, report))
  const all = { start: from(one), hops: [{}], include: 'all', consolidation }
  assert.deepEqual(await reached(all), sorted(tool, report, unified))
  const hops = [{ via: 'observables', query: 'tags:left' }]
  assert.deepEqual(await reached({ start: from(sharer), hops, consolidation }), [unified])
})

test('with contributors, no unified entity is in the result', async () => {
  const query = { start: from(unified), hops: [{ via: 'observables' }], include: 'all' }
  assert.deepEqual(await reached(query), sorted(one, two, sharer, unified))
  assert.deepEqual(await reached({ ...query, consolidation: 'contributors' }), sorted(one, two, sharer))
})

test('another value is refused', async () => {
  const item = { name: 'x', workspaces: [1], relational_query: { start: from(one), hops: [{}], consolidation: 'some' } }
  const { status, body } = await corvus.call('POST', 'datasets', item)
  assert.equal(status, 400)
  assert.match(body[0].detail, /relational_query\.consolidation: must be one of 'all', 'unified', 'contributors'/)
})

test('for who does not see all contributors nothing changes', async () => {
  await compareOutside()
  const { outsider } = corvus.readers
  assert.deepEqual(await reached({ start: from(unified), hops: [{}] }, outsider), [])
  assert.deepEqual(await reached({ start: from(tool), hops: [{}], consolidation: 'unified' }, outsider), [one])
})
