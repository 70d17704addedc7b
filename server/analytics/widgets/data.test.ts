import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { aggregate, corvus, malware, put } from '../../../test/set-up/aggregations.ts'

const PERMISSIONS = ['read configurations', 'modify configurations', 'read entities', 'modify entities']

let outsider: string
before(async () => {
  outsider = await corvus.tokenFor(PERMISSIONS)
  // A user without groups sees nothing.
  const { id } = (await corvus.call('GET', 'users/self', undefined, outsider)).body.data
  await corvus.call('PATCH', `users/${id}`, { groups: [] })
  const days = ['2024-01-02', '2024-01-20', '2024-03-05', '2024-03-05', '2024-03-31']
  await put(
    days.map((day, i) =>
      malware('seen', { title: `M${i}`, confidence: i % 2 ? 'low' : 'high', first_seen: `${day}T10:00:00Z` }),
    ),
  )
  await put([malware('other', { title: 'O' })])
})

let counter = 0

async function make(item: Record<string, unknown>): Promise<number> {
  const answer = await corvus.call('POST', 'widgets', { data: { name: `W${++counter}`, ...item } })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data.id
}

async function dataOf(item: Record<string, unknown>, token?: string) {
  const id = await make(item)
  const shown = { name: `D${++counter}`, widgets: [id], is_shared_with_all: true }
  assert.equal((await corvus.call('POST', 'dashboards', shown)).status, 201)
  const { status, body } = await corvus.call('GET', `widgets/${id}/data`, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

const QUERY = 'tags:seen'

test('a number counts the entities that match the query, or all', async () => {
  assert.deepEqual(await dataOf({ type: 'number', query: QUERY }), { total_count: 5 })
  const all = (await corvus.call('GET', 'entities?data=false')).body.total_count
  assert.equal(all, 6)
  assert.deepEqual(await dataOf({ type: 'number' }), { total_count: all })
})

test('a chart returns the same as the aggregation endpoint', async () => {
  for (const aggregation of [
    { group_by: 'data.confidence' },
    { group_by: 'data.confidence', limit: 1, include_other: true },
    { group_by: 'data.first_seen', interval: 'month', fill: true, time_zone: '+02:00' },
    { group_by: 'data.first_seen', split_by: 'data.confidence', interval: 'month' },
    { group_by: 'sources' },
  ]) {
    const direct = await aggregate({ query: QUERY, ...aggregation })
    assert.equal(direct.total_count, 5)
    for (const type of ['bar', 'line', 'pie', 'table'])
      assert.deepEqual(await dataOf({ type, query: QUERY, aggregation }), direct, `${type} ${aggregation.group_by}`)
  }
  const monthly = await dataOf({
    type: 'line',
    query: QUERY,
    aggregation: { group_by: 'data.first_seen', interval: 'month', fill: true },
  })
  assert.deepEqual(monthly.aggregations[0].values, [
    ['2024-01-01T00:00:00+00:00', 2],
    ['2024-02-01T00:00:00+00:00', 0],
    ['2024-03-01T00:00:00+00:00', 3],
  ])
})

test('a list returns the first entities in its order, in the format of entity lists', async () => {
  const newest = await dataOf({ type: 'list', query: QUERY, settings: { limit: 2, sort: '-data.title' } })
  const direct = await corvus.call('GET', `entities?query=${QUERY}&sort=-data.title&limit=2`)
  // The relevancy changes all the time.
  const still = (list: object[]) => list.map((entity) => ({ ...entity, relevancy: null }))
  assert.deepEqual(still(newest.entities), still(direct.body.data))
  assert.equal(newest.total_count, 5)
  assert.deepEqual(
    newest.entities.map(({ data }: { data: { title: string } }) => data.title),
    ['M4', 'M3'],
  )
  const pruned = await dataOf({ type: 'list', query: QUERY, settings: { attributes: ['data.title'], limit: 1 } })
  assert.deepEqual(Object.keys(pruned.entities[0]), ['data'])
  assert.equal((await dataOf({ type: 'list' })).entities.length, 6)
  assert.equal((await dataOf({ type: 'list' })).entities[0].data.title, 'O')
})

test('each caller gets only what they can see', async () => {
  assert.deepEqual(await dataOf({ type: 'number', query: QUERY }, outsider), { total_count: 0 })
  assert.deepEqual(await dataOf({ type: 'list' }, outsider), { entities: [], total_count: 0 })
  const item = { type: 'bar', aggregation: { group_by: 'data.confidence' } }
  assert.deepEqual(await dataOf(item, outsider), await aggregate(item.aggregation, outsider))
  assert.deepEqual((await dataOf(item, outsider)).total_count, 0)
})

test('reading a widget requires the same permissions as the query itself', async () => {
  const id = await make({ type: 'number' })
  const values = await make({ type: 'bar', aggregation: { group_by: 'type', split_by: 'extracts.kind' } })
  await corvus.call('POST', 'dashboards', { name: 'open', widgets: [id, values], is_shared_with_all: true })
  const refusal = async (widget: number, permissions: string[]) => {
    const token = await corvus.tokenFor(permissions)
    const { status, body } = await corvus.call('GET', `widgets/${widget}/data`, undefined, token)
    return status === 200 ? 200 : body[0].detail
  }
  assert.equal(await refusal(id, ['read entities']), 'Missing permissions: [read configurations]')
  assert.equal(await refusal(id, ['read configurations']), 'Missing permissions: [read entities]')
  assert.equal(await refusal(id, ['read configurations', 'read entities']), 200)
  assert.equal(await refusal(values, ['read configurations', 'read entities']), 'Missing permissions: [read extracts]')
  assert.equal(await refusal(values, ['read configurations', 'read entities', 'read extracts']), 200)
})

test('an attack matrix returns the techniques of the coverage, without their log sources', async () => {
  const made = await corvus.call('PUT', 'entities', [
    { data: { type: 'malware', title: 'A' }, meta: { attacks: ['TA0001:T1566.001'], tags: ['matrix'] } },
    { data: { type: 'tool', title: 'B' }, meta: { attacks: ['TA0001:T1566.001', 'TA0027:T1660'], tags: ['matrix'] } },
  ])
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const dataset = { name: 'Tools', workspaces: [1], search_query: 'type:tool' }
  const tools = (await corvus.call('POST', 'datasets', { data: dataset })).body.data.id
  const read = async (settings: object, query: string | null = 'tags:matrix', token?: string) => {
    const { techniques, ...rest } = await dataOf({ type: 'attack-matrix', query, settings }, token)
    return { rest, counts: techniques.map(({ id, count, score }: Record<string, unknown>) => [id, count, score]) }
  }
  const { rest, counts } = await read({})
  assert.deepEqual([rest.matrix, rest.total_count, counts], ['enterprise-attack', 2, [['TA0001:T1566.001', 2, 2]]])
  const { counts: summed } = await read({ attack: { aggregate: 'sum', relations: true, by: 'count', entities: [] } })
  assert.deepEqual(summed.toSorted(), [
    ['TA0001:T1566', 0, 2],
    ['TA0001:T1566.001', 2, 2],
  ])
  assert.deepEqual((await read({ attack: { matrix: 'mobile-attack' } })).counts, [['TA0027:T1660', 1, 1]])
  assert.deepEqual((await read({ attack: { dataset: [tools] } }, null)).counts, [['TA0001:T1566.001', 1, 1]])
  // Without recency a half-life has no meaning, and harms nothing.
  assert.deepEqual((await read({ attack: { half_life: 7 } })).counts, counts)
  assert.notDeepEqual((await read({ attack: { by: 'recency', half_life: 1 } })).counts, counts)
  const [technique] = (await dataOf({ type: 'attack-matrix', query: 'tags:matrix' })).techniques
  assert.ok('gap' in technique && 'share' in technique && !('missing_log_sources' in technique))
  const blind = await corvus.tokenFor([...PERMISSIONS, 'read attack'])
  const { id } = (await corvus.call('GET', 'users/self', undefined, blind)).body.data
  await corvus.call('PATCH', `users/${id}`, { groups: [] })
  assert.deepEqual((await read({}, null, blind)).counts, [])
  const widget = await make({ type: 'attack-matrix' })
  await corvus.call('POST', 'dashboards', { name: `D${++counter}`, widgets: [widget], is_shared_with_all: true })
  const refused = await corvus.call('GET', `widgets/${widget}/data`, undefined, outsider)
  assert.deepEqual([refused.status, refused.body[0].detail], [403, 'Missing permissions: [read attack]'])
})

test('an unknown widget is a 404', async () => {
  for (const id of ['999999', 'x', '-1']) assert.equal((await corvus.call('GET', `widgets/${id}/data`)).status, 404)
})

test('a widget shows the state of enrichers, to those who may read them', async () => {
  const name = 'watched'
  const parameters = { url: 'https://reputation.example/' }
  const supported_observable_types = ['ipv4']
  const limits = [{ calls: 5, seconds: 60 }]
  const enricher = {
    name,
    enricher: 'builtin:own_service',
    is_active: true,
    supported_observable_types,
    parameters,
    limits,
  }
  assert.equal((await corvus.call('POST', 'enrichers', { data: enricher })).status, 201)
  const { enrichers, total_count } = await dataOf({ type: 'enrichers' })
  assert.equal(total_count, 1)
  const [{ quota, ...rest }] = enrichers
  assert.deepEqual(quota, [{ seconds: 60, calls: 5, used: 0, left: 5, resets_at: null }])
  assert.deepEqual([rest.name, rest.state, rest.failed_count, 'parameters' in rest], [name, 'ACTIVE', 0, false])
  const id = await make({ type: 'enrichers' })
  await corvus.call('POST', 'dashboards', { name: `D${++counter}`, widgets: [id], is_shared_with_all: true })
  const refused = await corvus.call('GET', `widgets/${id}/data`, undefined, outsider)
  assert.equal(refused.status, 403, JSON.stringify(refused.body))
})
