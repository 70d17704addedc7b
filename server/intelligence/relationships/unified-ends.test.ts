import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Asked, startUnified } from '../../../test/set-up/unified-entities.ts'

let corvus: Awaited<ReturnType<typeof startUnified>>
let one: string
let two: string
let unified: string
let uses: string
let targets: string
let elsewhere: string
let compareOutside: () => Promise<void>

const REQUESTS: Asked[] = [['GET', 'relationships?sort=created_at']]

const list = async (query: string, token?: string): Promise<string[]> =>
  (await corvus.get(`relationships?${query}`, token)).data.map(({ id }: { id: string }) => id).sort()

before(async () => {
  corvus = await startUnified()
  const { first, second } = corvus.sources
  one = await corvus.make(first, 'Fancy Bear')
  two = await corvus.make(second, 'Fancy Bear')
  const tool = await corvus.make(first, 'Tool', { data: { type: 'tool' } })
  const report = await corvus.make(first, 'Report', { data: { type: 'report' } })
  uses = await corvus.relate(one, 'uses', tool)
  targets = await corvus.relate(report, 'mentions', two)
  elsewhere = await corvus.relate(report, 'mentions', tool)
  REQUESTS.push(['GET', `relationships?filter[data.source]=${one}`], ['GET', `relationships?query=data.source:${one}`])
  compareOutside = await corvus.rememberOutside(REQUESTS)
  unified = await corvus.unify([one, two])
})
after(() => corvus.stop())

test('a unified entity stands for its contributors where relationships are filtered by an entity', async () => {
  const both = [uses, targets].sort()
  assert.deepEqual(await list(`filter[data.source]=${unified}`), [uses])
  assert.deepEqual(await list(`filter[source]=${corvus.url('entities', unified)}`), [uses])
  assert.deepEqual(await list(`filter[data.target]=${unified}`), [targets])
  assert.deepEqual(await list(`filter[entities]=${unified}`), both)
  assert.deepEqual(await list(`filter[!entities]=${unified}`), [elsewhere])
  assert.deepEqual(await list(`filter[entities]=${unified}&filter[entities]=${one}`), both)
  assert.deepEqual(await list(`filter[entities]=${two}`), [targets])
})

test('and where they are searched by an entity', async () => {
  assert.deepEqual(await list(`query=data.source:${unified}`), [uses])
  assert.deepEqual(await list(`query=data.target:"${unified}"`), [targets])
  assert.deepEqual(await list(`query=NOT data.source:${unified}`), [targets, elsewhere].sort())
  assert.deepEqual(await list(`query=data.source:${one.slice(0, 30)}*`), [uses])
  assert.deepEqual(await list('query=data.source:nothing'), [])
})

test('the relationships themselves are unchanged', async () => {
  const { data } = await corvus.get(`relationships?filter[data.source]=${unified}`)
  assert.equal(data[0].data.source, corvus.url('entities', one))
})

test('for who does not see all contributors the unified entity has no relationships, and nothing else changes', async () => {
  const { outsider } = corvus.readers
  for (const query of [`filter[entities]=${unified}`, `query=data.source:${unified}`, `filter[data.target]=${two}`])
    assert.deepEqual(await list(query, outsider), [], query)
  await compareOutside()
})
