import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'

const corvus = await startApp()
after(() => corvus.stop())

const url = (path: string) => `${BASE}/api/v2/${path}`

async function analysis(body: Record<string, unknown>, token?: string) {
  const { status, body: answer } = await corvus.call('POST', 'attack_analyses', { data: body }, token)
  assert.equal(status, 201, JSON.stringify(answer))
  return answer.data
}

async function entity(title: string, attacks: readonly string[], more: Record<string, unknown> = {}) {
  const item = { data: { type: 'malware', title }, meta: { attacks }, ...more }
  const { status, body } = await corvus.call('POST', 'entities', { data: item })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id as string
}

const annotate = (body: Record<string, unknown>) => corvus.call('POST', 'attack-analyses/annotations', { data: body })

test('an analysis has the defaults of the specification, under both spellings of its path', async () => {
  const made = await analysis({ name: 'Plain' })
  assert.partialDeepStrictEqual(made, {
    description: '',
    attack_matrix: 'enterprise-attack',
    scope_datasets: [],
    scope_entities: [],
    ui_metadata: {},
  })
  for (const path of ['attack_analyses', 'attack-analyses'])
    assert.equal((await corvus.call('GET', `${path}/${made.id}`)).body.data.name, 'Plain')
  const byUrl = await analysis({ name: 'By URL', attack_matrix: url('attacks/ics-attack') })
  assert.equal(byUrl.attack_matrix, 'ics-attack')
})

test('the scope has at most one dataset and 1,000 entities', async () => {
  const many = Array.from({ length: 1001 }, () => '018f2b1e-0f4b-7c39-9d4b-0c5a5f6b8a11')
  const { status, body } = await corvus.call('POST', 'attack_analyses', {
    data: { name: 'Too wide', attack_matrix: 'PRE', scope_datasets: [1, 2], scope_entities: many },
  })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail),
    [
      "data.attack_matrix: must be one of 'enterprise-attack', 'mobile-attack', 'ics-attack', 'DISARM', not 'PRE'",
      'data.scope_datasets: must have at most 1 item',
      'data.scope_entities: must have at most 1000 items',
    ],
  )
})

test('an object in place of an id is refused, also if it cannot become a text', async () => {
  const { status, body } = await corvus.call('POST', 'attack_analyses', {
    data: { name: 'Odd', scope_datasets: [{ id: { toString: 1 } }], scope_entities: [{ id: [{ toString: 1 }] }] },
  })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail),
    [
      `data.scope_datasets[0]: '{"toString":1}' is not the id or URL of one of datasets`,
      `data.scope_entities[0]: '[{"toString":1}]' is not the id or URL of one of entities`,
    ],
  )
})

test('readers get an analysis without the entities and datasets that they do not see', async () => {
  const { source } = await corvus.blindGroup('Elsewhere')
  const [seen, hidden] = [await entity('Seen', []), await entity('Hidden', [], { sources: [source] })]
  const made = await corvus.call('POST', 'attack_analyses', { data: { name: 'Half seen', scope_entities: [hidden] } })
  assert.equal(made.status, 400)
  const { id } = await analysis({ name: 'Half seen', scope_entities: [seen] })
  await corvus.pool.query('insert into attack_analysis_entities values ($1, $2)', [id, hidden])
  const shown = async () => (await corvus.call('GET', `attack_analyses/${id}`)).body.data.scope_entities
  assert.deepEqual(await shown(), [url(`entities/${seen}`)])
  assert.equal((await corvus.call('PATCH', `attack_analyses/${id}`, { data: { scope_entities: [] } })).status, 200)
  assert.deepEqual(await shown(), [])
  const { rows } = await corvus.pool.query('select target from attack_analysis_entities where source = $1', [id])
  assert.deepEqual(rows, [{ target: hidden }], 'links to unseen entities stay')
  const found = await corvus.call('GET', `attack_analyses?filter[scope_entities]=${hidden}`)
  assert.equal(found.body.total_count, 0)
})

test('annotations are on nodes of the matrix of their analysis', async () => {
  const { id } = await analysis({ name: 'Annotated' })
  const made = await annotate({ attack_analysis: id, attack_node: url('attacks/TA0001:T1566'), content: 'Blocked.' })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.equal(made.body.data.attack_node, url('attacks/TA0001:T1566'))
  assert.equal(made.body.data.attack_analysis, url(`attack_analyses/${id}`))
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ attack_node: 'TA0001:T9999' }, /^attack_node: there is no 'TA0001:T9999' in attacks/],
    [{ attack_node: 'DISARM' }, /^attack_node: 'DISARM' is in DISARM, and the analysis in enterprise-attack/],
    [{ attack_analysis: 999_999 }, /^attack_analysis: there is no '999999' in attack_analyses/],
    [{ content: '' }, /^data.content: must have at least 1 character/],
  ]
  for (const [change, message] of cases) {
    const body = { attack_analysis: id, attack_node: 'TA0002', content: 'x', ...change }
    const refused = await annotate(body)
    assert.equal(refused.status, 400, JSON.stringify(refused.body))
    assert.match(refused.body[0].detail, message)
  }
  const moved = await corvus.call('PATCH', `attack_analyses/annotations/${made.body.data.id}`, {
    data: { attack_node: 'DISARM' },
  })
  assert.match(moved.body[0].detail, /^attack_node: /)
  const matrix = await corvus.call('PATCH', `attack_analyses/${id}`, { data: { attack_matrix: 'DISARM' } })
  assert.equal(matrix.status, 400)
  assert.match(matrix.body[0].detail, /^attack_matrix: 1 annotation is in another matrix/)
  const twice = await annotate({ attack_analysis: id, attack_node: 'TA0001:T1566', content: 'Again' })
  assert.equal(twice.status, 409)
  assert.equal((await corvus.call('DELETE', `attack_analyses/${id}`)).status, 204)
  assert.equal((await corvus.call('GET', `attack_analyses/annotations/${made.body.data.id}`)).status, 404)
})

test('several annotations are created or updated by their analysis and node, and named if one is refused', async () => {
  const { id } = await analysis({ name: 'Many' })
  const items = ['TA0001', 'TA0002'].map((attack_node) => ({ attack_analysis: id, attack_node, content: 'First' }))
  assert.equal((await corvus.call('PUT', 'attack_analyses/annotations', { data: items })).status, 201)
  const next = items.map((item) => ({ ...item, content: 'Second' }))
  const again = await corvus.call('PUT', 'attack_analyses/annotations', { data: next })
  assert.deepEqual([again.status, again.body.data[1].content], [200, 'Second'])
  const wrong = [...items, { attack_analysis: id, attack_node: 'DISARM', content: 'x' }]
  const refused = await corvus.call('PUT', 'attack_analyses/annotations', { data: wrong })
  assert.match(refused.body[0].detail, /^\[2\].attack_node: /)
})
