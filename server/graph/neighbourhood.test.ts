import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE } from '../../test/app.ts'
import { ask, contextOf, drawGraph, type Graph, joinEntities, seenBy, VIS } from '../../test/graph.ts'
import { db, statementsOf, storeGraphs } from '../../test/set-up/graph.ts'
import { chanceOf } from '../../test/visibility/chance.ts'
import type { Context } from '../engine/context.ts'
import { makeId } from '../engine/ids.ts'
import { neighbourhood } from './neighbourhood.ts'

interface Group {
  readonly key: string
  readonly direction: 'out' | 'in'
  readonly entity_type: string
  readonly type: string
  readonly group: string
  readonly count: number
  readonly next_offset: number | null
  readonly entities: { id: string; relationships: string[] }[]
  readonly observables: { id: number; entities_count: number }[]
}

const look = (ctx: Context, id: string, query: Record<string, readonly string[]> = {}) =>
  ask(ctx, neighbourhood, { params: { id }, query })

/** Every neighbour of an entity as one line, computed from the graph that the caller sees. */
function linesOf({ entities, relationships }: Graph, id: string): string[] {
  const typeOf = new Map(entities.map((entity) => [entity.id, entity.type]))
  return relationships
    .flatMap(({ id: edge, source, target, key }) => [
      ...(source === id ? [`out ${key} ${typeOf.get(target)} ${target} ${edge}`] : []),
      ...(target === id ? [`in ${key} ${typeOf.get(source)} ${source} ${edge}`] : []),
    ])
    .sort()
}

const linesIn = (groups: readonly Group[]): string[] =>
  groups
    .flatMap(({ direction, key, entity_type, entities }) =>
      entities.flatMap(({ id, relationships }) =>
        relationships.map((url) => `${direction} ${key} ${entity_type} ${id} ${url.split('/').at(-1)}`),
      ),
    )
    .sort()

test('the neighbourhood matches the graph, with full counts and in pages, for every caller', async () => {
  const chance = chanceOf(3)
  const graphs = Array.from({ length: 60 }, () => drawGraph(chance))
  await storeGraphs(graphs)
  for (const graph of graphs) {
    const keys = chance.some(VIS, 0.7)
    const seen = seenBy(graph, keys)
    const ctx = contextOf(db, keys, { isFarSighted: chance.flip(0.3) })
    const { id } = chance.pick(graph.entities)
    const limit = String(1 + chance.below(3))
    const { status, body } = await look(ctx, id, { limit: [limit] })
    if (!seen.entities.some((entity) => entity.id === id)) {
      assert.deepEqual([status, body], [404, [`The resource '${id}' does not exist.`]])
      continue
    }
    const groups: Group[] = body.data.neighbours
    for (const group of groups) {
      for (let next = group.next_offset; next !== null; ) {
        const more = await look(ctx, id, { limit: [limit], group: [group.group], offset: [String(next)] })
        const [rest] = more.body.data.neighbours
        assert.deepEqual(
          [more.body.data.neighbours.length, more.body.data.observables, rest.count],
          [1, [], group.count],
        )
        group.entities.push(...rest.entities)
        next = rest.next_offset
      }
      assert.equal(group.entities.length, group.count)
    }
    assert.deepEqual(linesIn(groups), linesOf(seen, id))
    const own = seen.links.filter(({ source }) => source === id).map(({ target }) => target)
    for (const { type, count, observables } of body.data.observables as Group[]) {
      assert.equal(count, seen.observables.filter((each) => each.type === type && own.includes(each.id)).length)
      for (const observable of observables) {
        const others = seen.links.filter(({ source, target }) => target === observable.id && source !== id)
        assert.equal(observable.entities_count, others.length)
      }
    }
    const counts = (body.data.observables as Group[]).map(({ count }) => count)
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      own.length,
    )
  }
})

/** Creates an entity with this many neighbours and observables. */
async function star(around: number) {
  const entities = Array.from({ length: around + 1 }, (_, i) => ({
    id: makeId(),
    type: i % 2 ? 'tool' : 'malware',
    vis: VIS[0],
  }))
  const [centre, ...others] = entities.map(({ id }) => id)
  const observables = others.map(() => ({ id: next++, type: 'domain' }))
  const relationships = others.map((id) => joinEntities(centre ?? '', id, 'uses'))
  const links = observables.map(({ id }) => ({ source: centre ?? '', target: id }))
  await storeGraphs([{ entities, relationships, observables, links }])
  return centre ?? ''
}
let next = 5_000_000

test('a group has a count, the first ten items, and the offset of the next', async () => {
  const id = await star(30)
  const ctx = contextOf(db, VIS)
  const { data } = (await look(ctx, id)).body
  assert.deepEqual(data.entity, {
    kind: 'entity',
    id,
    url: `${BASE}/api/v2/entities/${id}`,
    type: 'malware',
    title: `e ${id}`,
    tlp_color: 'GREEN',
  })
  assert.deepEqual(
    data.neighbours.map(({ key, direction, entity_type, count, entities, next_offset }: Group) => [
      key,
      direction,
      entity_type,
      count,
      entities.length,
      next_offset,
    ]),
    [
      ['uses', 'out', 'malware', 15, 10, 10],
      ['uses', 'out', 'tool', 15, 10, 10],
    ],
  )
  const [first] = data.neighbours[0].entities
  assert.deepEqual(Object.keys(first), ['kind', 'id', 'url', 'type', 'title', 'tlp_color', 'relationships'])
  const [domains] = data.observables
  assert.deepEqual(
    [domains.type, domains.count, domains.observables.length, domains.next_offset],
    ['domain', 30, 10, 10],
  )
  const [observable] = domains.observables
  assert.deepEqual(observable, {
    kind: 'observable',
    id: observable.id,
    url: `${BASE}/api/v2/observables/${observable.id}`,
    type: 'domain',
    value: `${observable.id}.example`,
    display_value: `${observable.id}[.]example`,
    maliciousness: 'unknown',
    entities_count: 0,
  })
  const rest = (await look(ctx, id, { group: [domains.group], offset: ['10'], limit: ['500'] })).body.data
  assert.deepEqual(
    [rest.neighbours, rest.observables[0].observables.length, rest.observables[0].next_offset],
    [[], 20, null],
  )
  const beyond = (await look(ctx, id, { offset: ['99'] })).body.data
  assert.deepEqual(
    [beyond.neighbours[0].count, beyond.neighbours[0].entities, beyond.neighbours[0].next_offset],
    [15, [], null],
  )
})

test('relationships can be filtered by direction, key and type', async () => {
  const id = await star(4)
  const ctx = contextOf(db, VIS)
  const counts = async (query: Record<string, string[]>) =>
    (await look(ctx, id, query)).body.data.neighbours.map(({ count }: Group) => count)
  assert.deepEqual(await counts({ direction: ['out'] }), [2, 2])
  assert.deepEqual(await counts({ direction: ['in'] }), [])
  assert.deepEqual(await counts({ keys: ['targets, uses'] }), [2, 2])
  assert.deepEqual(await counts({ keys: ['targets'] }), [])
  assert.deepEqual(await counts({ entity_types: ['tool', 'report'] }), [2])
})

test('observables are left out without permission to read them', async () => {
  const id = await star(2)
  const ctx = contextOf(db, VIS, { permissions: ['read entities'] })
  const { data } = (await look(ctx, id)).body
  assert.equal(data.observables, null)
  const whole = (await look(contextOf(db, VIS), id)).body.data
  const refused = await look(ctx, id, { group: [whole.observables[0].group] })
  assert.deepEqual(refused, { status: 403, body: ['read extracts'] })
  assert.deepEqual((await look(contextOf(db, [VIS[1]]), id)).status, 404)
})

test('every invalid parameter is reported', async () => {
  const id = makeId()
  const ctx = contextOf(db, VIS)
  assert.deepEqual((await look(ctx, 'x')).body, ["The resource 'x' does not exist."])
  const { status, body } = await look(ctx, id, {
    direction: ['up'],
    keys: ['A'],
    entity_types: ['planet'],
    limit: ['501'],
    offset: ['-1'],
    group: ['nonsense'],
  })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map((fault: string) => fault.split(':')[0]),
    ['direction', 'keys[0]', 'entity_types[0]', 'limit', 'offset', 'group'],
  )
})

test('the number of statements does not depend on the size', async () => {
  const [small, large] = [await star(1), await star(400)]
  const ctx = contextOf(db, VIS)
  const count = (id: string) => statementsOf(() => look(ctx, id, { limit: ['500'] }))
  assert.equal(await count(large), await count(small))
})
