import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/app.ts'

const corvus = await startApp()
after(() => corvus.stop())

const ids: Record<string, string> = {}

before(async () => {
  const make = (title: string, type: string, attacks: string[], meta: object = {}) => ({
    data: { type, title },
    meta: { attacks, ...meta },
  })
  const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString()
  const { status, body } = await corvus.call('PUT', 'entities', [
    make('actor', 'threat-actor', [], { estimated_threat_start_time: days(100) }),
    make('loader', 'malware', ['TA0001:T1566', 'TA0001:T1566.001'], { estimated_threat_start_time: days(0) }),
    make('mailer', 'malware', ['TA0001:T1566.001', 'TA0001:T1566.002'], { estimated_threat_start_time: days(100) }),
    make('script', 'report', ['TA0027', 'enterprise-attack']),
  ])
  assert.equal(status, 201, JSON.stringify(body))
  for (const { id, data } of body.data) ids[data.title] = id
  // Nodes that were live when entities were classified with them, and ids of versions that are not loaded.
  await sql`update entities set attacks = attacks || '{TA0002:T1086,TA0099:T9999}' where id = ${ids.script}`.execute(
    corvus.db,
  )
  const uses = { data: { source: ids.actor, target: ids.mailer, key: 'uses' }, sources: body.data[0].sources }
  assert.equal((await corvus.call('POST', 'relationships', { data: uses })).status, 201)
})

async function heatOf(query = '') {
  const { status, body } = await corvus.call('GET', `attacks/heat?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const scores = ({ data }: { data: { id: string; score: number }[] }) =>
  Object.fromEntries(data.map(({ id, score }) => [id, score]))

test('each node has the number of entities that are classified with it', async () => {
  const { at, outside, ...rest } = await heatOf()
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 600_000)
  assert.deepEqual(rest, {
    data: [
      { id: 'TA0001:T1566', count: 1, score: 1 },
      { id: 'TA0001:T1566.001', count: 2, score: 2 },
      { id: 'TA0001:T1566.002', count: 1, score: 1 },
      { id: 'enterprise-attack', count: 1, score: 1 },
    ],
    total_count: 4,
    matrix: 'enterprise-attack',
    by: 'count',
    aggregate: 'none',
  })
})

test('dead nodes and unknown ids are listed apart from the matrix', async () => {
  const { outside } = await heatOf()
  assert.deepEqual(outside, [
    { id: 'TA0002:T1086', count: 1, score: 1, state: 'revoked', successors: ['TA0002:T1059.001'] },
    { id: 'TA0099:T9999', count: 1, score: 1, state: 'unknown', successors: [] },
  ])
  const mobile = await heatOf('matrix=mobile-attack')
  assert.deepEqual(scores(mobile), { TA0027: 1 })
  assert.deepEqual(
    mobile.outside.map(({ id }: { id: string }) => id),
    ['TA0099:T9999'],
  )
})

test('scores of sub-techniques flow into their technique, numbers do not', async () => {
  const sum = await heatOf('aggregate=sum')
  assert.deepEqual(sum.data[0], { id: 'TA0001:T1566', count: 1, score: 4 })
  assert.equal(scores(await heatOf('aggregate=max'))['TA0001:T1566'], 2)
  // A technique without entities of its own has a score, too.
  const only = await heatOf(`entities=${ids.mailer}&aggregate=sum`)
  assert.deepEqual(only.data[0], { id: 'TA0001:T1566', count: 0, score: 2 })
})

test('an entity weighs less the longer ago its threat began', async () => {
  const { 'TA0001:T1566.001': both = 0, 'TA0001:T1566.002': old = 0 } = scores(await heatOf('by=recency&half_life=100'))
  assert.ok(Math.abs(old - 0.5) < 0.01 && Math.abs(both - 1.5) < 0.01, `${old} ${both}`)
})

test('numbers are broken down by type, source or dataset', async () => {
  const { data: byType } = await heatOf('by=type')
  assert.deepEqual(byType[0].by, { malware: 1 })
  const bySource = await heatOf('by=source')
  const [source = ''] = Object.keys(bySource.names)
  assert.deepEqual(bySource.data[1].by, { [source]: 2 })
  assert.equal(bySource.names[source], 'Default')
  const dataset = { name: 'Mailers', workspaces: [1], search_query: 'data.title:mailer' }
  const { id } = (await corvus.call('POST', 'datasets', { data: dataset })).body.data
  const byDataset = await heatOf(`by=dataset&dataset=${id}`)
  assert.deepEqual([byDataset.total_count, byDataset.names], [1, { [id]: 'Mailers' }])
  assert.deepEqual(byDataset.data[0], { id: 'TA0001:T1566.001', count: 1, score: 1, by: { [id]: 1 } })
})

test('what an actor uses counts if relationships are followed, each entity once', async () => {
  const alone = await heatOf(`entities=${ids.actor}`)
  assert.deepEqual([alone.data, alone.total_count], [[], 1])
  const mailed = { 'TA0001:T1566.001': 1, 'TA0001:T1566.002': 1 }
  for (const choice of [`entities=${ids.actor}`, `entities=${ids.actor},${ids.mailer}`, 'query=data.title:actor']) {
    const related = await heatOf(`${choice}&relations=true`)
    assert.deepEqual([scores(related), related.total_count], [mailed, 2], choice)
  }
  const { data } = await heatOf(`entities=${ids.actor}&relations=true&by=type`)
  assert.deepEqual(data[0].by, { malware: 1 })
})

test('filters narrow what counts, also among related entities', async () => {
  const of = async (filter: string) => (await heatOf(`entities=${ids.actor}&relations=true&${filter}`)).total_count
  assert.equal(await of('filter[type]=malware'), 1)
  assert.equal(await of('filter[type]=threat-actor'), 1)
  assert.equal(await of('filter[type]=report'), 0)
})

test('the scope is narrowed by a query, filters, datasets and entities', async () => {
  assert.deepEqual(scores(await heatOf('query=data.title:loader')), { 'TA0001:T1566': 1, 'TA0001:T1566.001': 1 })
  assert.equal((await heatOf('filter[type]=malware')).total_count, 2)
  assert.equal((await heatOf(`entities=${ids.loader}&entities=${ids.mailer}`)).total_count, 2)
  assert.equal((await heatOf(`filter[type]=malware&entities=${ids.loader},${ids.script}`)).total_count, 1)
})

test('the entities behind a node are a list of entities, filtered by the node', async () => {
  const { body } = await corvus.call('GET', 'entities?filter[meta.attacks]=TA0001:T1566.001&filter[type]=malware')
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    [ids.loader, ids.mailer],
  )
})

test('every wrong parameter is named', async () => {
  const wrong =
    'matrix=x&by=y&aggregate=z&relations=maybe&half_life=0&entities=a&dataset=b&query=(&filter[no]=1&consolidation=w'
  const { status, body } = await corvus.call('GET', `attacks/heat?${wrong}`)
  assert.equal(status, 400)
  const named = body.map(({ detail }: { detail: string }) => /^[\w']+/.exec(detail)?.[0])
  for (const name of [
    'matrix',
    'by',
    'aggregate',
    'relations',
    'half_life',
    'entities',
    'dataset',
    "'no'",
    'consolidation',
  ])
    assert.ok(named.includes(name), `${name} in ${JSON.stringify(body)}`)
  for (const [query, detail] of [
    ['by=dataset', "dataset: is required by 'dataset'; name those to compare"],
    ['half_life=7', "half_life: needs by 'recency'"],
    ['entities=', 'entities: must have at least 1 item'],
    [`entities=${Array(1001).fill(ids.actor).join(',')}`, 'entities: must have at most 1000 items'],
    ['query=(', 'query: '],
  ] as const) {
    const refused = await corvus.call('GET', `attacks/heat?${query}`)
    assert.equal(refused.status, 400, query)
    assert.ok(refused.body[0].detail.startsWith(detail), refused.body[0].detail)
  }
})

test('reading a heat needs both permissions, and a refusal names both', async () => {
  const refusal = async (permissions: string[]) =>
    (await corvus.call('GET', 'attacks/heat?by=unknown', undefined, await corvus.tokenFor(permissions))).body[0].detail
  assert.equal(await refusal([]), 'Missing permissions: [read attack, read entities]')
  assert.equal(await refusal(['read attack']), 'Missing permissions: [read entities]')
  assert.equal(await refusal(['read entities']), 'Missing permissions: [read attack]')
})
