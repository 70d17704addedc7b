import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, contextOf, drawGraph, type Graph, joinEntities, makeTool, seenBy, VIS } from '../../test/graph.ts'
import { db, statementsOf, storeGraphs } from '../../test/set-up/graph.ts'
import { chanceOf } from '../../test/visibility/chance.ts'
import type { Context } from '../engine/context.ts'
import { VIAS } from '../intelligence/relational/step-fields.ts'
import { searchPaths } from './path-search.ts'
import { findPaths } from './paths.ts'

interface Path {
  readonly length: number
  readonly entities: readonly string[]
}

const connect = (ctx: Context, data: unknown) => ask(ctx, findPaths, { body: { data } })

/** Finds every simple path by brute force, the shortest first. */
function allPaths({ relationships, links }: Graph, from: string, to: string, longest: number, via: string): string[] {
  const pairs = [
    ...(via === 'observables' ? [] : relationships.map(({ source, target }) => [source, target])),
    ...(via === 'relationships'
      ? []
      : links.flatMap((a) =>
          links.filter((b) => b.target === a.target && b.source !== a.source).map((b) => [a.source, b.source]),
        )),
  ]
  const around = (id: string) => new Set(pairs.flatMap(([a = '', b = '']) => (a === id ? [b] : b === id ? [a] : [])))
  const found: string[][] = []
  const go = (path: string[]): void => {
    const here = path.at(-1) ?? ''
    if (here === to) found.push(path)
    if (here === to || path.length > longest) return
    for (const next of around(here)) if (!path.includes(next)) go([...path, next])
  }
  go([from])
  return found.sort((a, b) => a.length - b.length || (a.join() < b.join() ? -1 : 1)).map((path) => path.join())
}

test('the paths match a brute-force search, shortest first, for every caller', async () => {
  const chance = chanceOf(9)
  const graphs = Array.from({ length: 200 }, () => drawGraph(chance, 11))
  await storeGraphs(graphs)
  let found = 0
  for (const [i, graph] of graphs.entries()) {
    const keys = chance.flip() ? VIS : chance.some(VIS, 0.7)
    const seen = seenBy(graph, keys)
    const [from, to] = [seen.entities.at(0)?.id, seen.entities.at(-1)?.id]
    if (from === undefined || to === undefined || from === to) continue
    const via = chance.pick(VIAS)
    const max_length = 1 + chance.below(6)
    const ctx = contextOf(db, keys, { isFarSighted: chance.flip(0.3) })
    const { status, body } = await connect(ctx, { from, to, via, max_length, limit: 100 })
    assert.equal(status, 200, JSON.stringify(body))
    const { paths, nodes, edges, is_complete, searched_length } = body.data
    const expected = allPaths(seen, from, to, max_length, via)
    found += expected.length
    const given = paths.map(({ entities }: Path) => entities.join())
    const told = `graph ${i}, ${via}, ${max_length}`
    assert.deepEqual(given, expected.slice(0, 100), told)
    assert.equal(is_complete, expected.length <= 100, told)
    if (is_complete) assert.equal(searched_length, max_length)
    const ids = new Set(paths.flatMap(({ entities }: Path) => entities))
    assert.deepEqual(
      nodes.map(({ id }: { id: string }) => id),
      [...ids].sort(),
    )
    // Neighbours in a path are connected by an edge, and no other edges are returned.
    const pairs = new Set(
      paths.flatMap(({ entities }: Path) => entities.slice(1).map((id, at) => [id, entities[at] ?? ''].sort().join())),
    )
    const joined = new Set(
      edges.map(({ source, target }: { source: string; target: string }) => [source, target].sort().join()),
    )
    assert.deepEqual(joined, pairs, told)

    const first = (await connect(ctx, { from, to, via, max_length, limit: 1 })).body.data
    assert.deepEqual(first.paths, paths.slice(0, 1))
    assert.equal(first.is_complete, expected.length <= 1)
  }
  assert.ok(found > 300, `only ${found} paths were found`)
})

test('connections are returned: relationships in full, shared observables as a count and the first ten', async () => {
  const entities = [makeTool(), makeTool()]
  const [from, to] = entities.map(({ id }) => id)
  assert.ok(from && to)
  const observables = Array.from({ length: 12 }, (_, i) => ({ id: 8_000_000 + i, type: 'domain' }))
  const links = observables.flatMap(({ id }) => entities.map((entity) => ({ source: entity.id, target: id })))
  const relationship = joinEntities(to, from, 'uses')
  await storeGraphs([{ entities, relationships: [relationship], observables, links }])
  const { data } = (await connect(contextOf(db, VIS), { from, to, via: 'both' })).body
  assert.deepEqual(data.paths, [{ length: 1, entities: [from, to] }])
  const [edge, shared] = data.edges
  assert.deepEqual(
    [edge.kind, edge.id, edge.source, edge.target, edge.key],
    ['relationship', relationship.id, to, from, 'uses'],
  )
  assert.deepEqual([shared.kind, shared.count, shared.observables.length], ['shared', 12, 10])
  assert.equal(shared.observables[0].display_value, '8000000[.]example')
})

test('unknown or invisible ends are reported by name', async () => {
  const [seen, hidden] = [makeTool(), makeTool(VIS[1])]
  await storeGraphs([{ entities: [seen, hidden], relationships: [], observables: [], links: [] }])
  const ctx = contextOf(db, [VIS[0]])
  assert.deepEqual(await connect(ctx, { from: hidden.id, to: seen.id }), {
    status: 400,
    body: [`from: there is no '${hidden.id}' in entities.`],
  })
  const { data } = (await connect(contextOf(db, VIS), { from: hidden.id, to: seen.id })).body
  assert.deepEqual([data.paths, data.nodes, data.edges, data.is_complete], [[], [], [], true])
  assert.deepEqual((await connect(ctx, { from: seen.id, to: seen.id })).body, ['data.to: must differ from `from`'])
  const { status, body } = await connect(ctx, { from: 'x', max_length: 7, via: 'magic', limit: 101 })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map((fault: string) => fault.split(':')[0]),
    ['data.from', 'data.to', 'data.max_length', 'data.via', 'data.limit'],
  )
  const reader = contextOf(db, VIS, { permissions: ['read entities'] })
  assert.deepEqual(await connect(reader, { from: seen.id, to: hidden.id, via: 'both' }), {
    status: 403,
    body: ['read extracts'],
  })
})

/** Creates two ends that are connected to all entities between them, which also form a chain. */
async function twoHubs(between: number) {
  const entities = Array.from({ length: between + 2 }, () => makeTool())
  const [from = '', to = '', ...inner] = entities.map(({ id }) => id)
  const relationships = inner.flatMap((id, i) => [
    joinEntities(from, id),
    joinEntities(id, to),
    ...(i > 0 ? [joinEntities(inner[i - 1] ?? '', id)] : []),
  ])
  await storeGraphs([{ entities, relationships, observables: [], links: [] }])
  return { from, to }
}

test('if too much lies between the ends, the response covers what was searched', async () => {
  const ctx = contextOf(db, VIS)
  const question = {
    ...(await twoHubs(200)),
    via: 'relationships' as const,
    longest: 6,
    limit: 500,
    consolidation: 'all' as const,
  }
  const search = async (limit: number, most: number, longest = 6) => {
    const { paths, searched, isComplete } = await searchPaths(ctx, { ...question, limit, longest }, most)
    return [paths.length, searched, isComplete]
  }
  assert.deepEqual(
    await search(500, 150),
    [0, 1, false],
    'the first level is too large, but does not meet the other end',
  )
  assert.deepEqual(
    await search(500, 399),
    [200, 2, false],
    'the second level is too large, but the nodes it meets are not',
  )
  assert.deepEqual(await search(100, 399), [100, 1, false])
  assert.deepEqual(await search(500, 399, 2), [200, 2, true])
  assert.deepEqual(await search(200, 399, 2), [200, 2, true])
  const few = await twoHubs(8)
  const short = (await connect(ctx, { ...few, limit: 5 })).body.data
  assert.deepEqual(
    [short.paths.length, short.paths.at(-1)?.length, short.searched_length, short.is_complete],
    [5, 2, 1, false],
  )
})

test('the number of statements depends on the path length, not on the graph size', async () => {
  const [small, large] = [await twoHubs(2), await twoHubs(500)]
  const ctx = contextOf(db, VIS)
  const count = (ends: { from: string; to: string }, max_length: number) =>
    statementsOf(() => connect(ctx, { ...ends, max_length }))
  assert.equal(await count(large, 2), await count(small, 2))
  assert.ok((await count(large, 6)) <= 9)
})
