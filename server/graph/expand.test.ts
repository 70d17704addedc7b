import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ask,
  contextOf,
  drawGraph,
  type Graph,
  joinEntities,
  KEYS,
  makeTool,
  seenBy,
  TYPES,
  VIS,
} from '../../test/graph.ts'
import { db, statementsOf, storeGraphs } from '../../test/set-up/graph.ts'
import { chanceOf } from '../../test/visibility/chance.ts'
import type { Context } from '../engine/context.ts'
import { makeId } from '../engine/ids.ts'
import { VIAS } from '../intelligence/relational/step-fields.ts'
import { expandGraph } from './expand.ts'

interface Asked {
  readonly entities: readonly string[]
  readonly observables: readonly number[]
  readonly direction: string
  readonly keys: readonly string[] | undefined
  readonly entity_types: readonly string[] | undefined
  readonly via: string
}

interface Edge {
  readonly kind: string
  readonly id: string
  readonly source: string
  readonly target: string | number
}

const expand = (ctx: Context, data: unknown) => ask(ctx, expandGraph, { body: { data } })
const nameOf = ({ kind, id, source, target }: Edge) => (kind === 'relationship' ? id : `${source} ${target}`)

/** Computes one expansion step by checking every edge. */
function oneStep({ entities, relationships, links }: Graph, asked: Asked) {
  const typeOf = new Map(entities.map(({ id, type }) => [id, type]))
  const isFit = (id: string) => asked.entity_types?.includes(typeOf.get(id) ?? '') ?? true
  const nodes = new Set<string | number>()
  const edges = new Set<string>()
  const step = (edge: string, far: string | number) => {
    edges.add(edge)
    if (!asked.entities.includes(String(far)) && !asked.observables.includes(Number(far))) nodes.add(far)
  }
  for (const { id, source, target, key } of asked.via === 'observables' ? [] : relationships) {
    if (!(asked.keys?.includes(key) ?? true)) continue
    if (asked.direction !== 'in' && asked.entities.includes(source) && isFit(target)) step(id, target)
    if (asked.direction !== 'out' && asked.entities.includes(target) && isFit(source)) step(id, source)
  }
  for (const { source, target } of links) {
    if (asked.via !== 'relationships' && asked.entities.includes(source)) step(`${source} ${target}`, target)
    if (asked.observables.includes(target) && isFit(source)) step(`${source} ${target}`, source)
  }
  return { nodes: [...nodes].map(String).sort(), edges: [...edges].sort() }
}

test('expanding many nodes finds the same as checking every edge, for every caller', async () => {
  const chance = chanceOf(5)
  const graphs = Array.from({ length: 200 }, () => drawGraph(chance))
  await storeGraphs(graphs)
  let reached = 0
  for (const [i, graph] of graphs.entries()) {
    const keys = chance.flip() ? VIS : chance.some(VIS, 0.7)
    const seen = seenBy(graph, keys)
    const asked: Asked = {
      entities: chance.some(seen.entities, 0.4).map(({ id }) => id),
      observables: chance.some(seen.observables, 0.4).map(({ id }) => id),
      direction: chance.pick(['out', 'in', 'any']),
      keys: chance.flip(0.3) ? [chance.pick(KEYS)] : undefined,
      entity_types: chance.flip(0.3) ? [chance.pick(TYPES)] : undefined,
      via: chance.pick(VIAS),
    }
    if (asked.entities.length + asked.observables.length === 0) continue
    const ctx = contextOf(db, keys, { isFarSighted: chance.flip(0.3) })
    const { status, body } = await expand(ctx, asked)
    const told = `graph ${i}: ${JSON.stringify({ asked, body })}`
    assert.equal(status, 200, told)
    const expected = oneStep(seen, asked)
    reached += expected.nodes.length
    assert.deepEqual(body.data.nodes.map(({ id }: { id: string }) => String(id)).sort(), expected.nodes, told)
    assert.deepEqual(body.data.edges.map(nameOf).sort(), expected.edges, told)
    const { total_count, total_edge_count, is_complete } = body.data
    assert.deepEqual([total_count, total_edge_count, is_complete], [expected.nodes.length, expected.edges.length, true])

    const limit = 1 + chance.below(4)
    const cut = (await expand(ctx, { ...asked, limit })).body.data
    assert.deepEqual(cut.nodes, body.data.nodes.slice(0, limit), 'the order is stable')
    assert.deepEqual([cut.total_count, cut.is_complete], [total_count, total_count <= limit])
    assert.equal(cut.edges.length, cut.total_edge_count)
    const ends = new Set([...asked.entities, ...asked.observables, ...cut.nodes.map(({ id }: { id: string }) => id)])
    assert.ok(
      cut.edges.every(({ source, target }: Edge) => ends.has(source) && ends.has(target)),
      'every edge has both ends',
    )
  }
  assert.ok(reached > 200, `only ${reached} nodes were reached`)
})

test('an unknown or invisible node is a 400 that names its position', async () => {
  const [seen, hidden] = [makeTool(), makeTool(VIS[1])]
  const observable = { id: 7_000_001, type: 'domain' }
  const links = [{ source: hidden.id, target: observable.id }]
  await storeGraphs([{ entities: [seen, hidden], relationships: [], observables: [observable], links }])
  const ctx = contextOf(db, [VIS[0]])
  const unknown = makeId()
  assert.deepEqual(await expand(ctx, { entities: [seen.id, hidden.id, unknown] }), {
    status: 400,
    body: [
      `entities[1]: there is no '${hidden.id}' in entities.`,
      `entities[2]: there is no '${unknown}' in entities.`,
    ],
  })
  assert.deepEqual(await expand(ctx, { entities: [seen.id], observables: [observable.id] }), {
    status: 400,
    body: [`observables[0]: there is no '${observable.id}' in observables.`],
  })
  assert.equal((await expand(contextOf(db, VIS), { observables: [observable.id] })).body.data.nodes[0].id, hidden.id)
})

test('every invalid field is reported, and so are the size limits', async () => {
  const ctx = contextOf(db, VIS)
  const { status, body } = await expand(ctx, {
    entities: ['x'],
    direction: 'up',
    keys: [],
    entity_types: ['planet'],
    via: 'magic',
    limit: 5001,
  })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map((fault: string) => fault.split(':')[0]),
    ['data.entities[0]', 'data.direction', 'data.keys', 'data.entity_types[0]', 'data.via', 'data.limit'],
  )
  assert.deepEqual((await expand(ctx, {})).body, ['data: requires entities or observables'])
  const many = Array.from({ length: 1001 }, () => makeId())
  assert.deepEqual((await expand(ctx, { entities: many })).body, ['data.entities: must have at most 1000 items'])
  assert.deepEqual((await expand(ctx, { entities: many.slice(1), observables: [1] })).body, [
    'data: must have at most 1000 entities and observables in total',
  ])
})

test('following observables requires permission to read them', async () => {
  const ctx = contextOf(db, VIS, { permissions: ['read entities'] })
  for (const data of [{ entities: [makeId()], via: 'both' }, { observables: [1] }]) {
    assert.deepEqual(await expand(ctx, data), { status: 403, body: ['read extracts'] })
  }
  assert.equal((await expand(ctx, { entities: [makeId()] })).status, 400)
})

test('a hub is cut at the limits, keeps an edge for every node, and costs as many statements as one edge', async () => {
  const entities = Array.from({ length: 5300 }, () => makeTool())
  const ids = entities.map(({ id }) => id)
  const hubs = ids.slice(0, 5)
  const relationships = ids.slice(5).flatMap((target) => hubs.map((source) => joinEntities(source, target, 'uses')))
  await storeGraphs([{ entities, relationships, observables: [], links: [] }])
  const ctx = contextOf(db, VIS)
  const expandFrom = async (entities: readonly string[], limit: number) =>
    (await expand(ctx, { entities, limit })).body.data
  const { nodes, edges, total_count, total_edge_count, is_complete } = await expandFrom(hubs, 5000)
  assert.deepEqual(
    [nodes.length, edges.length, total_count, total_edge_count, is_complete],
    [5000, 20_000, 5295, 25_000, false],
  )
  const touched = new Set(edges.map(({ target }: Edge) => target))
  assert.ok(nodes.every(({ id }: { id: string }) => touched.has(id)))
  const last = ids.slice(-1)
  const one = await expandFrom(last, 1)
  assert.deepEqual([one.total_count, one.nodes.length, one.is_complete], [5, 1, false])
  assert.equal(await statementsOf(() => expandFrom(hubs, 5000)), await statementsOf(() => expandFrom(last, 1)))
})
