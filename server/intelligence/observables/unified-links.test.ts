import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startUnified } from '../../../test/set-up/unified-entities.ts'

let corvus: Awaited<ReturnType<typeof startUnified>>
let observable: number
let unified: string
let one: string
let two: string

const paths = () => [
  'observables?sort=created_at',
  'observables?sort=-last_updated_at',
  'observables?sort=-meta.maliciousness',
  `observables?filter[sources]=${corvus.sources.merge}`,
  'observables?filter[meta.maliciousness]=high',
  `observables/${observable}`,
  `observables/${observable}/verdicts`,
  'aggregations/observables/counts?fields=type,created_at,last_updated_at,meta.maliciousness',
  'search/fields?collection=observables',
]

/** What a reader is answered, without the entities that observables are linked with. */
async function answers(token: string): Promise<string[]> {
  const found: string[] = []
  for (const path of paths())
    found.push(JSON.stringify(await corvus.get(path, token), (name, value) => (name === 'entities' ? null : value)))
  return found
}

before(async () => {
  corvus = await startUnified()
  const { first, second } = corvus.sources
  const manual_extracts = [{ kind: 'domain', value: 'bear.example', classification: 'bad', confidence: 'high' }]
  one = await corvus.make(first, 'Fancy Bear', { observables: [{ type: 'domain', value: 'bear.example' }] })
  two = await corvus.make(second, 'Fancy Bear', { meta: { manual_extracts } })
  await corvus.make(first, 'Other', { observables: [{ type: 'ipv4', value: '192.0.2.1' }] })
  observable = (await corvus.get('observables?filter[value]=bear.example')).data[0].id
})
after(() => corvus.stop())

test('nothing about an observable changes because a unified entity has it too', async () => {
  const { insider, outsider } = corvus.readers
  const earlier = [await answers(insider), await answers(outsider)]
  assert.match(earlier[0]?.[5] ?? '', /"maliciousness":"high"/)
  unified = await corvus.unify([one, two], 'Fancy Bear')
  assert.deepEqual([await answers(insider), await answers(outsider)], earlier)
})

test('it is linked with the unified entity for those who see that', async () => {
  const linked = async (token: string) =>
    (await corvus.get(`observables/${observable}`, token)).data.entities
      .map((url: string) => url.split('/').at(-1))
      .sort()
  assert.deepEqual(await linked(corvus.readers.insider), [one, two, unified].sort())
  assert.deepEqual(await linked(corvus.readers.outsider), [one])
})

test('what is linked with a unified entity does not show it to others', async () => {
  const { outsider } = corvus.readers
  const ticket = await corvus.post('tickets', { name: 'About it', workspaces: [1], entities: [unified] })
  const workspace = await corvus.post('workspaces', { name: 'With it', entities: [unified] })
  const dataset = await corvus.post('datasets', { name: 'With it', workspaces: [1], entities: [unified] })
  const entitiesOf = async (path: string, token?: string) => (await corvus.get(path, token)).data.entities
  assert.deepEqual(await entitiesOf(`tickets/${ticket.id}`), [corvus.url('entities', unified)])
  assert.deepEqual(await entitiesOf(`tickets/${ticket.id}`, outsider), [])
  assert.deepEqual(await entitiesOf(`workspaces/${workspace.id}`), [corvus.url('entities', unified)])
  const countOf = async (token?: string) => (await corvus.get(`datasets/${dataset.id}`, token)).data.entities_count
  assert.deepEqual([await countOf(), await countOf(outsider)], [1, 0])
})
