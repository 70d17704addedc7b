import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'

const PERMISSIONS = ['read graphs', 'modify graphs', 'read workspaces', 'modify workspaces']

let corvus: Awaited<ReturnType<typeof startApp>>
let owner: string
let guest: string
let closed: number

before(async () => {
  corvus = await startApp()
  owner = await corvus.tokenFor(PERMISSIONS)
  guest = await corvus.tokenFor(PERMISSIONS)
  const [one, other] = ['Drawn', 'Drawn as well'].map((title) => ({ data: { type: 'tool', title } }))
  const made = await corvus.call('PUT', 'entities', [
    { ...one, observables: [{ type: 'domain', value: 'drawn.example' }] },
    other,
  ])
  entity = made.body.data[0].id
  const { body } = await corvus.call('GET', 'observables?filter[value]=drawn.example')
  content = contentOf(entity, body.data[0].id)
  closed = (await corvus.call('POST', 'workspaces', { name: 'Case 12' }, owner)).body.data.id
})
after(() => corvus.stop())

let entity: string
let content: ReturnType<typeof contentOf>

const contentOf = (id: string, observable: number) => ({
  nodes: [
    { kind: 'entity', id, x: 1.5, y: -2, is_pinned: true },
    { kind: 'observable', id: observable, x: 0, y: 0, is_pinned: false },
  ],
  aggregates: [{ of: { kind: 'entity', id }, group: 'WyJvYnNlcnZhYmxlIl0', x: 3, y: 3, is_pinned: false }],
  filters: {
    hidden_types: ['domain'],
    hidden_keys: ['uses', ''],
    least_degree: 2,
    from: '2026-01-01T00:00:00Z',
    until: null,
  },
})

test('a graph is returned as saved, and is empty without content', async () => {
  const made = await corvus.call('POST', 'graphs', { name: 'First', workspace: closed, content }, owner)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.deepEqual(made.body.data.content, content)
  assert.equal(made.body.data.workspace, `${BASE}/api/v2/workspaces/${closed}`)
  const plain = await corvus.call('POST', 'graphs', { name: 'Plain', workspace: closed, content: {} }, owner)
  assert.deepEqual(plain.body.data.content, {
    nodes: [],
    aggregates: [],
    filters: { hidden_types: [], hidden_keys: [], least_degree: 0, from: null, until: null },
  })
})

test('saving again replaces nodes and filters, and keeps fields that were not sent', async () => {
  const { id } = (await corvus.call('POST', 'graphs', { name: 'Again', workspace: 1, content }, owner)).body.data
  const next = { ...content, nodes: content.nodes.slice(1), aggregates: [] }
  const saved = await corvus.call('PATCH', `graphs/${id}`, { content: next }, owner)
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  assert.deepEqual([saved.body.data.name, saved.body.data.content], ['Again', next])
})

test('a reader gets the nodes they can see, and saving keeps the others', async () => {
  const unseen = (await corvus.blindGroup('Elsewhere')).source
  const secret = { data: { type: 'tool', title: 'Not drawn for all' }, sources: [unseen] }
  const hidden = (await corvus.call('POST', 'entities', { data: secret })).body.data.id
  const gone = '018f2b1e-0f4b-7c39-9d4b-0c5a5f6b8a11'
  const nodes = [entity, hidden, gone].map((id, i) => ({ kind: 'entity', id, x: i, y: 0, is_pinned: false }))
  const aggregates = [{ of: { kind: 'entity', id: hidden }, group: 'tool', x: 0, y: 0, is_pinned: false }]
  const item = { name: 'Partly', workspace: 1, content: { nodes, aggregates } }
  const made = await corvus.call('POST', 'graphs', item, owner)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const path = `graphs/${made.body.data.id}`
  const shown = async () => [
    (await corvus.call('GET', path, undefined, owner)).body.data.content,
    (await corvus.call('GET', 'graphs?filter[name]=Partly', undefined, owner)).body.data[0].content,
  ]
  for (const own of [made.body.data.content, ...(await shown())]) {
    assert.deepEqual([own.nodes, own.aggregates], [nodes.slice(0, 1), []])
  }
  const moved = [{ ...nodes[0], x: 9 }]
  for (const [method, sent] of [
    ['PATCH', { content: { nodes: moved, aggregates: [] } }],
    ['PUT', [{ ...item, content: { nodes: moved, aggregates: [] } }]],
  ] as const) {
    const saved = await corvus.call(method, method === 'PATCH' ? path : 'graphs', sent, owner)
    assert.equal(saved.status, 200, JSON.stringify(saved.body))
    for (const own of await shown()) assert.deepEqual(own.nodes, moved)
    const { rows } = await corvus.pool.query('select content from graphs where id = $1', [made.body.data.id])
    assert.deepEqual(rows[0].content.nodes, [...moved, nodes[1]], 'deleted nodes are not kept')
    assert.deepEqual(rows[0].content.aggregates, aggregates)
  }
})

test('a graph in an invisible workspace does not exist for the caller, who cannot put one there', async () => {
  const { id } = (await corvus.call('POST', 'graphs', { name: 'Hidden', workspace: closed }, owner)).body.data
  assert.equal((await corvus.call('GET', `graphs/${id}`, undefined, owner)).status, 200)
  for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const)
    assert.equal((await corvus.call(method, `graphs/${id}`, body, guest)).status, 404, method)
  const { body } = await corvus.call('GET', 'graphs?filter[name]=Hidden', undefined, guest)
  assert.deepEqual([body.data, body.total_count], [[], 0])
  const refused = await corvus.call('POST', 'graphs', { name: 'Theirs', workspace: closed }, guest)
  assert.equal(refused.status, 400)
  assert.match(refused.body[0].detail, /^workspace: /)
})

test('names are unique per workspace, and a workspace with graphs cannot be deleted', async () => {
  const twin = { name: 'Twin', workspace: closed }
  assert.equal((await corvus.call('POST', 'graphs', twin, owner)).status, 201)
  assert.equal((await corvus.call('POST', 'graphs', twin, owner)).status, 409)
  assert.equal((await corvus.call('POST', 'graphs', { ...twin, workspace: 1 }, owner)).status, 201)
  assert.equal((await corvus.call('DELETE', `workspaces/${closed}`, undefined, owner)).status, 409)
})

test('every invalid part of a content is reported with its path', async () => {
  const wrong = {
    nodes: [
      { kind: 'entity', id: 7, x: 0, y: 0 },
      { kind: 'planet', id: 1, x: 0, y: 0 },
      { kind: 'observable', id: 1, x: 'left', y: 1e12 },
    ],
    filters: { least_degree: -1, from: 'yesterday', hidden_types: ['\u0000'] },
  }
  const { status, body } = await corvus.call('POST', 'graphs', { name: 'Bad', workspace: 1, content: wrong }, owner)
  assert.equal(status, 400)
  const places = body.map(({ detail }: { detail: string }) => detail.split(': ')[0]).sort()
  assert.deepEqual(places, [
    'content.filters.from',
    'content.filters.hidden_types[0]',
    'content.filters.least_degree',
    'content.nodes[0].id',
    'content.nodes[1].kind',
    'content.nodes[2].x',
    'content.nodes[2].y',
  ])
  const nodes = Array.from({ length: 20_001 }, (_, i) => ({ kind: 'observable', id: i + 1, x: 0, y: 0 }))
  const large = await corvus.call('POST', 'graphs', { name: 'Large', workspace: 1, content: { nodes } }, owner)
  assert.deepEqual(
    large.body.map(({ detail }: { detail: string }) => detail),
    ['content.nodes: must have at most 20000 items'],
  )
})
