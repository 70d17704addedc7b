import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Asked, startUnified } from '../../test/set-up/unified-entities.ts'

let corvus: Awaited<ReturnType<typeof startUnified>>
/** Contributors of a unified entity. */
let one: string
let two: string
let unified: string
/** What both use, what only the second uses, and who has an observable in common with the second. */
let tool: string
let report: string
let sharer: string
let observable: number
/** The relationships of both contributors with the tool. */
let oneUses: string
let twoUses: string
let compareOutside: () => Promise<void>

interface Node {
  readonly id: string | number
  readonly is_unified?: boolean
  readonly stands_for?: readonly string[]
}
interface Edge {
  readonly kind: string
  readonly source: string
  readonly target: string | number
  readonly count?: number
  readonly relationships?: readonly string[]
}

const nodesIn = ({ nodes }: { nodes: Node[] }) => nodes.map(({ id }) => id).sort()
const edgesIn = ({ edges }: { edges: Edge[] }) =>
  edges.map(({ kind, source, target }) => `${kind} ${nameOf(source)} ${nameOf(target)}`).sort()
const sorted = (...ids: string[]) => ids.sort()
const nameOf = (id: string | number): string =>
  new Map<string | number, string>([
    [one, 'one'],
    [two, 'two'],
    [unified, 'unified'],
    [tool, 'tool'],
    [report, 'report'],
    [sharer, 'sharer'],
    [observable, 'observable'],
  ]).get(id) ?? String(id)

before(async () => {
  corvus = await startUnified()
  const { first, second } = corvus.sources
  const observables = [{ type: 'domain', value: 'bear.example' }]
  one = await corvus.make(first, 'Fancy Bear')
  two = await corvus.make(second, 'Fancy Bear', { observables })
  tool = await corvus.make(first, 'Tool', { data: { type: 'tool' } })
  report = await corvus.make(first, 'Report', { data: { type: 'report' } })
  sharer = await corvus.make(first, 'Sharer', { data: { type: 'report' }, observables })
  oneUses = await corvus.relate(one, 'uses', tool)
  twoUses = await corvus.relate(two, 'uses', tool)
  await corvus.relate(report, 'mentions', two)
  await corvus.relate(one, 'alias-of', two)
  observable = (await corvus.get('observables?filter[value]=bear.example')).data[0].id
  const consolidation = 'unified'
  compareOutside = await corvus.rememberOutside([
    ...(['all', 'unified', 'contributors'] as const).flatMap((each): Asked[] => [
      ['GET', `entities/${one}/neighbourhood?consolidation=${each}`],
      ['GET', `entities/${sharer}/neighbourhood?consolidation=${each}`],
    ]),
    [
      'POST',
      'graph/expand',
      { data: { entities: [one, sharer], observables: [observable], via: 'both', consolidation } },
    ],
    ['POST', 'graph/expand', { data: { entities: [one], via: 'both' } }],
    ['POST', 'graph/paths', { data: { from: one, to: report, via: 'both', consolidation } }],
    ['POST', 'graph/paths', { data: { from: one, to: tool } }],
    ['POST', 'graph/nodes', { data: { entities: [one, tool], observables: [observable], consolidation } }],
  ])
  unified = await corvus.unify([one, two], 'Fancy Bear')
})
after(() => corvus.stop())

test('a unified entity leads to its contributors and their neighbours', async () => {
  const found = await corvus.post('graph/expand', { entities: [unified] })
  assert.deepEqual(nodesIn(found), sorted(one, two, tool, report))
  assert.deepEqual(edgesIn(found), [
    'relationship one tool',
    'relationship one two',
    'relationship report two',
    'relationship two tool',
    'unifies unified one',
    'unifies unified two',
  ])
  assert.deepEqual([found.total_count, found.total_edge_count, found.is_complete], [4, 6, true])
  const few = await corvus.post('graph/expand', { entities: [unified], limit: 2 })
  assert.deepEqual(nodesIn(few), sorted(one, two), 'contributors come first')
  const typed = await corvus.post('graph/expand', { entities: [unified], entity_types: ['report'] })
  assert.deepEqual(edgesIn(typed), ['relationship report two', 'unifies unified one', 'unifies unified two'])
})

test('with unified, contributors become their unified entity and edges that look the same become one', async () => {
  const consolidation = 'unified'
  for (const given of [unified, one]) {
    const found = await corvus.post('graph/expand', { entities: [given], consolidation, via: 'both' })
    assert.deepEqual(nodesIn(found), [observable, ...sorted(tool, report)].sort())
    assert.deepEqual(edgesIn(found), [
      'observable unified observable',
      'relationship report unified',
      'relationship unified tool',
    ])
    const edge = found.edges.find(({ target }: Edge) => target === tool)
    assert.deepEqual([edge.count, edge.relationships], [2, sorted(oneUses, twoUses)])
    assert.equal(edge.id, sorted(oneUses, twoUses)[0])
    assert.deepEqual([found.total_count, found.total_edge_count, found.is_complete], [3, 3, true])
  }
  const back = await corvus.post('graph/expand', { entities: [tool], observables: [observable], consolidation })
  assert.deepEqual(nodesIn(back), sorted(unified, sharer))
  assert.deepEqual(edgesIn(back), [
    'observable sharer observable',
    'observable unified observable',
    'relationship unified tool',
  ])
  const between = await corvus.post('graph/expand', { entities: [tool, one], consolidation })
  assert.deepEqual(edgesIn(between), ['relationship report unified', 'relationship unified tool'])
})

test('with contributors, no unified entity is reached', async () => {
  const observables = [observable]
  const all = await corvus.post('graph/expand', { observables })
  assert.deepEqual(nodesIn(all), sorted(two, sharer, unified))
  const found = await corvus.post('graph/expand', { observables, consolidation: 'contributors' })
  assert.deepEqual(nodesIn(found), sorted(two, sharer))
  const given = await corvus.post('graph/expand', { entities: [unified], consolidation: 'contributors' })
  assert.deepEqual(nodesIn(given), sorted(one, two, tool, report))
})

test('the neighbourhood of a unified entity is that of its contributors', async () => {
  const around = async (id: string, consolidation: string) => {
    const { data } = await corvus.get(`entities/${id}/neighbourhood?consolidation=${consolidation}`)
    const groups = data.neighbours.map(
      ({
        key,
        direction,
        entities,
      }: {
        key: string
        direction: string
        entities: (Node & { relationships: string[] })[]
      }) => `${direction} ${key} ${entities.map(({ id, relationships }) => `${nameOf(id)} ${relationships.length}`)}`,
    )
    return [nameOf(data.entity.id), ...groups.sort()]
  }
  const whole = ['in mentions report 1', 'out uses tool 2']
  assert.deepEqual(await around(unified, 'all'), ['unified', ...whole])
  assert.deepEqual(await around(unified, 'unified'), ['unified', ...whole])
  assert.deepEqual(await around(one, 'unified'), ['unified', ...whole])
  assert.deepEqual(await around(one, 'all'), ['one', 'out alias-of two 1', 'out uses tool 1'])
  assert.deepEqual(await around(tool, 'unified'), ['tool', 'in uses unified 2'])
  assert.deepEqual(await around(tool, 'all'), ['tool', 'in uses one 1,two 1'])
  const counts = async (id: string, consolidation: string) => {
    const { data } = await corvus.get(`entities/${id}/neighbourhood?consolidation=${consolidation}`)
    return data.observables.flatMap((group: { observables: { entities_count: number }[] }) =>
      group.observables.map(({ entities_count }) => entities_count),
    )
  }
  assert.deepEqual(await counts(sharer, 'all'), [2])
  assert.deepEqual(await counts(sharer, 'unified'), [1])
  assert.deepEqual(await counts(sharer, 'contributors'), [1])
  assert.deepEqual(await counts(one, 'unified'), [1])
  const refused = await corvus.call('GET', `entities/${one}/neighbourhood?consolidation=some`)
  assert.equal(refused.status, 400)
})

test('paths lead through unified entities', async () => {
  const find = (from: string, to: string, more: object = {}) => corvus.post('graph/paths', { from, to, ...more })
  const named = ({ paths }: { paths: { entities: string[] }[] }) =>
    paths.map(({ entities }) => entities.map(nameOf).join(' '))
  const all = await find(unified, report, { max_length: 2 })
  assert.deepEqual(named(all), ['unified two report'])
  assert.deepEqual(edgesIn(all), ['relationship report two', 'unifies unified two'])
  const consolidation = 'unified'
  const collapsed = await find(one, report, { consolidation })
  assert.deepEqual(named(collapsed), ['unified report'])
  assert.deepEqual(edgesIn(collapsed), ['relationship report unified'])
  const through = await find(tool, report, { consolidation })
  assert.deepEqual(named(through), ['tool unified report'])
  assert.deepEqual(edgesIn(through), ['relationship report unified', 'relationship unified tool'])
  assert.equal(through.edges.find(({ target }: Edge) => target === tool).count, 2)
  assert.deepEqual(named(await find(one, two, { consolidation })), [])
  const shared = await find(one, sharer, { consolidation, via: 'observables' })
  assert.deepEqual(edgesIn(shared), [`shared ${[unified, sharer].sort().map(nameOf).join(' ')}`])
  assert.equal(shared.edges[0].count, 1)
  const without = await find(sharer, tool, { consolidation: 'contributors', via: 'both', max_length: 3 })
  assert.ok(named(without).every((path) => !path.includes('unified')))
  assert.ok(named(without).includes('sharer two tool'))
})

test('nodes are read with the edges between them', async () => {
  const read = (entities: string[], more: object = {}) => corvus.post('graph/nodes', { entities, ...more })
  const all = await read([one, unified, tool])
  assert.deepEqual(nodesIn(all), sorted(one, unified, tool))
  assert.deepEqual(edgesIn(all), ['relationship one tool', 'unifies unified one'])
  const marked = all.nodes.filter(({ is_unified }: Node) => is_unified)
  assert.deepEqual(nodesIn({ ...all, nodes: marked }), [unified])
  const known = await read([one], { known_entities: [unified] })
  assert.deepEqual(edgesIn(known), ['unifies unified one'])
  assert.deepEqual([known.total_edge_count, known.is_complete], [1, true])
  const consolidation = 'unified'
  const collapsed = await read([one, two, tool], { consolidation, observables: [observable] })
  assert.deepEqual(nodesIn(collapsed), [observable, ...sorted(unified, tool)].sort())
  assert.deepEqual(edgesIn(collapsed), ['observable unified observable', 'relationship unified tool'])
  assert.deepEqual(collapsed.nodes.find(({ id }: Node) => id === unified).stands_for, sorted(one, two))
  const half = await read([tool], { consolidation, known_entities: [two] })
  assert.deepEqual(edgesIn(half), ['relationship unified tool'])
  assert.equal(half.edges[0].count, 2)
  assert.deepEqual(nodesIn(await read([one, unified], { consolidation: 'contributors' })), [one])
})

test('for who does not see all contributors nothing changes', async () => {
  await compareOutside()
  const { outsider } = corvus.readers
  assert.equal((await corvus.call('GET', `entities/${unified}/neighbourhood`, undefined, outsider)).status, 404)
  const { status } = await corvus.call('POST', 'graph/expand', { data: { entities: [unified] } }, outsider)
  assert.equal(status, 400)
})

test('a saved graph shows a unified entity to those who see it, until it is taken apart', async () => {
  const nodes = [one, unified].map((id) => ({ kind: 'entity', id, x: 0, y: 0 }))
  const { id } = await corvus.post('graphs', { name: 'Bears', workspace: 1, content: { nodes } })
  const shown = async (token?: string) => nodesIn((await corvus.get(`graphs/${id}`, token)).data.content)
  assert.deepEqual(await shown(), sorted(one, unified))
  assert.deepEqual(await shown(corvus.readers.outsider), [one])
  const saved = await corvus.call(
    'PATCH',
    `graphs/${id}`,
    { data: { content: { nodes: nodes.slice(0, 1) } } },
    corvus.readers.outsider,
  )
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  assert.deepEqual(await shown(), sorted(one, unified), 'what the outsider does not see is kept')
  await corvus.takeApart(unified)
  assert.deepEqual(await shown(), [one])
})
