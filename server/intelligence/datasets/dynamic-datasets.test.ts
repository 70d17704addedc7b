import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, makeDataset, makeEntity } from '../../../test/set-up/datasets.ts'

test('a dataset with a query is dynamic, and takes no entities', async () => {
  const entity = await makeEntity()
  const dynamic = await makeDataset({ search_query: 'data.type:no-such-type' })
  assert.deepEqual([dynamic.is_dynamic, dynamic.is_relational, dynamic.entities_count], [true, false, 0])
  const relational = await makeDataset({ relational_query: { start: { query: 'no-such-word' }, hops: [{}] } })
  assert.deepEqual([relational.is_dynamic, relational.is_relational], [true, true])
  const empty = await makeDataset({ search_query: '  ', entities: [entity] })
  assert.deepEqual([empty.is_dynamic, empty.search_query, empty.entities_count], [false, null, 1])
  const refused = 'entities: cannot be set, because the query of the dataset determines them'
  for (const [method, path, body, detail] of [
    ['POST', 'datasets', { name: 'both', workspaces: [1], search_query: 'x', entities: [entity] }, refused],
    ['PATCH', `datasets/${dynamic.id}`, { entities: [entity] }, refused],
    ['PATCH', `datasets/${empty.id}`, { search_query: 'x', entities: [entity] }, refused],
    [
      'PUT',
      'datasets',
      [
        { name: 'fine', workspaces: [1] },
        { name: dynamic.name, workspaces: [1], entities: [entity] },
      ],
      `[1].${refused}`,
    ],
  ] as const) {
    const answer = await corvus.call(method, path, body)
    assert.deepEqual([answer.status, answer.body[0]?.detail], [400, detail], `${method} ${path}`)
  }
  assert.equal((await corvus.call('GET', 'datasets?filter[name]=fine&data=false')).body.total_count, 0)
  const still = await corvus.call('PATCH', `datasets/${dynamic.id}`, { search_query: null, entities: [entity] })
  assert.deepEqual([still.status, still.body.data.entities_count], [200, 1])
})

test('the query of a dynamic dataset determines its entities in counts and filters', async () => {
  const word = `kestrel${Date.now()}`
  const titled = (title: string) => ({ data: { type: 'report', title } })
  const made = await corvus.call('PUT', 'entities', [titled(`${word} one`), titled(`${word} two`), titled('other')])
  const ids = made.body.data.map(({ id }: { id: string }) => id)
  const dynamic = await makeDataset({ search_query: `data.title:${word}` })
  const fixed = await makeDataset({ entities: [ids[2]] })
  assert.equal(dynamic.entities_count, 2)
  const listed = async (query: string) => {
    const { body } = await corvus.call('GET', `entities?${query}`)
    return [body.total_count, body.data.map(({ id }: { id: string }) => id)]
  }
  assert.deepEqual(await listed(`filter[datasets]=${dynamic.id}`), [2, ids.slice(0, 2)])
  assert.deepEqual(await listed(`filter[datasets]=${dynamic.id}&filter[datasets]=${fixed.id}`), [3, ids])
  assert.deepEqual(await listed(`filter[!datasets]=${dynamic.id}&filter[datasets]=${fixed.id}`), [1, [ids[2]]])
  await corvus.call('PUT', 'entities', [titled(`${word} three`)])
  const { body } = await corvus.call('GET', `datasets?filter[name]=${dynamic.name}&attributes=entities_count`)
  assert.deepEqual(body.data, [{ entities_count: 3 }])
})

test('a query with a syntax error is refused with its position', async () => {
  for (const [method, path] of [
    ['POST', 'datasets'],
    ['PUT', 'datasets'],
  ] as const) {
    const dataset = { name: 'broken', workspaces: [1], search_query: 'data.title:(a OR' }
    const { status, body } = await corvus.call(method, path, method === 'PUT' ? [dataset] : dataset)
    assert.equal(status, 400)
    assert.match(body[0].detail, /search_query: .*column 17/)
  }
})

test('a relational query leads to the entities of a dataset', async () => {
  const word = `merlin${Date.now()}`
  const made = await corvus.call('PUT', 'entities', [
    { data: { type: 'threat-actor', title: `${word} actor` } },
    { data: { type: 'malware', title: 'its malware' } },
    { data: { type: 'tool', title: 'its tool' } },
    { data: { type: 'indicator', title: 'of the malware' } },
  ])
  const [actor, malware, tool, indicator] = made.body.data
  const related = (source: { id: string }, key: string, target: { id: string }) => ({
    data: { source: source.id, target: target.id, key },
    sources: actor.sources,
  })
  const links = [
    related(actor, 'uses', malware),
    related(actor, 'uses', tool),
    related(indicator, 'indicates', malware),
  ]
  assert.equal((await corvus.call('PUT', 'relationships', links)).status, 201)
  const start = { query: `data.title:${word}` }
  const found = async (relational_query: object) => {
    const dataset = await makeDataset({ relational_query })
    const { body } = await corvus.call('GET', `entities?filter[datasets]=${dataset.id}`)
    assert.equal(dataset.entities_count, body.total_count)
    return [dataset.id, body.data.map(({ id }: { id: string }) => id)]
  }
  assert.deepEqual((await found({ start, hops: [{ direction: 'out', keys: ['uses'] }] }))[1], [malware.id, tool.id])
  const twoHops = {
    start,
    hops: [
      { direction: 'out', query: 'type:malware' },
      { direction: 'in', entity_types: ['indicator'] },
    ],
  }
  const [first, ids] = await found(twoHops)
  assert.deepEqual(ids, [indicator.id])
  assert.deepEqual((await found({ start: { datasets: [first] }, hops: [{ direction: 'out' }] }))[1], [malware.id])
})

test('datasets that refer to each other find nothing through each other', async () => {
  const first = await makeDataset({ relational_query: { start: { query: '*' }, hops: [{}] } })
  const second = await makeDataset({ relational_query: { start: { datasets: [first.id] }, hops: [{}] } })
  const changed = await corvus.call('PATCH', `datasets/${first.id}`, {
    relational_query: { start: { datasets: [second.id] }, hops: [{}] },
  })
  assert.deepEqual([changed.status, changed.body.data?.entities_count], [200, 0])
})

test('errors in a relational query are reported with their position', async () => {
  const refused = async (relational_query: unknown, expected: RegExp) => {
    const { status, body } = await corvus.call('POST', 'datasets', { name: 'x', workspaces: [1], relational_query })
    assert.equal(status, 400)
    assert.match(body[0].detail, expected)
  }
  await refused({ start: {}, hops: [{}] }, /^relational_query\.start: needs/)
  await refused({ start: { query: 'a OR' }, hops: [{}] }, /^relational_query\.start\.query: .*column/)
  await refused({ start: { query: 'a' }, hops: [{}, { query: '[' }] }, /^relational_query\.hops.*1.*query: /)
  await refused({ start: { query: 'a' }, hops: [] }, /^relational_query\.hops: /)
})

test('a dynamic dataset counts only the entities that the caller sees', async () => {
  const word = `merlin${Date.now()}`
  const { source } = await corvus.blindGroup(`Behind ${word}`)
  const data = { type: 'report', title: word }
  const made = await corvus.call('PUT', 'entities', [{ data }, { data: { ...data }, sources: [source] }])
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.equal((await makeDataset({ search_query: `data.title:${word}` })).entities_count, 1)
})
