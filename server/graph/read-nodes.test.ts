import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, contextOf, drawGraph, joinEntities, makeTool, seenBy, VIS } from '../../test/graph.ts'
import { db, statementsOf, storeGraphs } from '../../test/set-up/graph.ts'
import { chanceOf } from '../../test/visibility/chance.ts'
import type { Context } from '../engine/context.ts'
import { makeId } from '../engine/ids.ts'
import { readGraphNodes, readNodes } from './read-nodes.ts'

interface Edge {
  readonly kind: string
  readonly id: string
  readonly source: string
  readonly target: string | number
}

const read = (ctx: Context, data: unknown) => ask(ctx, readGraphNodes, { body: { data } })
const nameOf = ({ kind, id, source, target }: Edge) => (kind === 'relationship' ? id : `${source} ${target}`)

test('the response has the visible nodes and all edges among them and to the known ones, for every caller', async () => {
  const chance = chanceOf(11)
  const graphs = Array.from({ length: 100 }, () => drawGraph(chance))
  await storeGraphs(graphs)
  let joined = 0
  for (const graph of graphs) {
    const keys = chance.flip() ? VIS : chance.some(VIS, 0.7)
    const seen = seenBy(graph, keys)
    const entities = chance.some(graph.entities, 0.6).map(({ id }) => id)
    const observables = chance.some(graph.observables, 0.6).map(({ id }) => id)
    const known_entities = chance.some(graph.entities, 0.3).map(({ id }) => id)
    const known_observables = chance.some(graph.observables, 0.3).map(({ id }) => id)
    const ctx = contextOf(db, keys, { isFarSighted: chance.flip(0.3) })
    const { status, body } = await read(ctx, { entities, observables, known_entities, known_observables })
    assert.equal(status, 200, JSON.stringify(body))
    const ids = new Set<string | number>([...entities, ...observables])
    const every = new Set([...ids, ...known_entities, ...known_observables])
    const isIn = ({ source, target }: { source: string; target: string | number }) =>
      (ids.has(source) && every.has(target)) || (every.has(source) && ids.has(target))
    const nodes = [...seen.entities, ...seen.observables].flatMap(({ id }) => (ids.has(id) ? [String(id)] : []))
    const edges = [
      ...seen.relationships.filter(isIn).map(({ id }) => id),
      ...seen.links.filter(isIn).map(({ source, target }) => `${source} ${target}`),
    ]
    joined += edges.length
    assert.deepEqual(body.data.nodes.map(({ id }: { id: string }) => String(id)).sort(), nodes.sort())
    assert.deepEqual(body.data.edges.map(nameOf).sort(), edges.sort())
    assert.deepEqual([body.data.total_edge_count, body.data.is_complete], [edges.length, true])
  }
  assert.ok(joined > 200, `only ${joined} edges were found`)
})

test('a node has its type and times', async () => {
  const tool = makeTool()
  const observable = { id: 9_000_001, type: 'domain' }
  await storeGraphs([
    {
      entities: [tool],
      relationships: [],
      observables: [observable],
      links: [{ source: tool.id, target: observable.id }],
    },
  ])
  const { data } = (await read(contextOf(db, VIS), { entities: [tool.id, makeId()], observables: [observable.id] }))
    .body
  const [entity, domain] = data.nodes
  assert.deepEqual(
    [entity.kind, entity.type, entity.title, entity.observed_at],
    ['entity', 'tool', `e ${tool.id}`, null],
  )
  assert.match(entity.created_at, /^\d{4}-\d\d-\d\dT.+\+00:00$/)
  assert.deepEqual([domain.kind, domain.display_value], ['observable', '9000001[.]example'])
  assert.match(domain.created_at, /^\d{4}-\d\d-\d\dT/)
  assert.deepEqual(data.edges, [{ kind: 'observable', source: tool.id, target: observable.id, link_type: null }])
})

test('observables require permission to read them, and the body is limited', async () => {
  const reader = contextOf(db, VIS, { permissions: ['read entities'] })
  for (const data of [{ observables: [1] }, { known_observables: [1] }])
    assert.deepEqual(await read(reader, data), { status: 403, body: ['read extracts'] })
  const many = Array.from({ length: 20_001 }, (_, i) => i + 1)
  assert.deepEqual((await read(contextOf(db, VIS), { observables: many })).body, [
    'data.observables: must have at most 20000 items',
  ])
  assert.deepEqual((await read(reader, {})).body.data, { nodes: [], edges: [], total_edge_count: 0, is_complete: true })
})

test('the response tells if edges are missing, and the number of statements is constant', async () => {
  const entities = Array.from({ length: 40 }, () => makeTool())
  const ids = entities.map(({ id }) => id)
  const relationships = ids.slice(1).map((id) => joinEntities(ids[0] ?? '', id))
  await storeGraphs([{ entities, relationships, observables: [], links: [] }])
  const ctx = contextOf(db, VIS)
  const asked = {
    entities: ids,
    observables: [],
    known_entities: [],
    known_observables: [],
    consolidation: 'all' as const,
  }
  const { nodes, edges, total_edge_count, is_complete } = await readNodes(ctx, asked, 10)
  assert.deepEqual([nodes.length, edges.length, total_edge_count, is_complete], [40, 10, 39, false])
  const count = (given: readonly string[]) => statementsOf(() => read(ctx, { entities: given }))
  assert.equal(await count(ids), await count(ids.slice(0, 1)))
})
