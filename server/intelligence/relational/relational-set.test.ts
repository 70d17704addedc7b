import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import {
  contextOf,
  drawGraph,
  type Graph,
  KEYS,
  makeTool,
  OBSERVABLE_TYPES,
  seenBy,
  TYPES,
  VIS,
} from '../../../test/graph.ts'
import { database, storeGraphs } from '../../../test/set-up/graph.ts'
import { type Chance, chanceOf } from '../../../test/visibility/chance.ts'
import type { Context } from '../../engine/context.ts'
import { type Hop, type RelationalQuery, relationalQuery } from './relational-query.ts'
import { relationalSet } from './relational-set.ts'
import { VIAS } from './step-fields.ts'

/** Replaces the search language: a query is the type of an entity. */
const where = (type: string) => sql<boolean>`t.type = ${type} or t.type is null`

async function find(ctx: Context, query: RelationalQuery): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${relationalSet(ctx, query, where)}`.execute(ctx.db)
  return rows.map(({ id }) => id).sort()
}

/** The same query, evaluated step by step in memory. */
function walk(graph: Graph, { start, hops, include }: RelationalQuery): string[] {
  const typeOf = new Map(graph.entities.map(({ id, type }) => [id, type]))
  const first = graph.entities
    .filter(({ id, type }) => (start.entities?.includes(id) ?? true) && (start.query ?? type) === type)
    .map(({ id }) => id)
  const sets = [new Set(first)]
  for (const hop of hops) {
    const reached = new Set<string>()
    let frontier = sets.at(-1) ?? new Set()
    for (let time = 0; time < hop.depth; time++) {
      const next = new Set([...frontier].flatMap((id) => around(graph, hop, id)))
      frontier = new Set([...next].filter((id) => isFit(hop, typeOf.get(id))))
      for (const id of frontier) reached.add(id)
    }
    sets.push(reached)
  }
  const included = { last: sets.slice(-1), reached: sets.slice(1), all: sets }[include]
  return [...new Set(included.flatMap((set) => [...set]))].sort()
}

const isFit = ({ entity_types, query }: Hop, type = '') =>
  (entity_types?.includes(type) ?? true) && (query ?? type) === type

function around({ relationships, links, observables }: Graph, hop: Hop, id: string): string[] {
  const fit = relationships.filter(
    ({ key, subtype }) =>
      (hop.keys?.includes(key) ?? true) && (hop.subtypes?.some((wanted) => wanted === subtype) ?? true),
  )
  const out = hop.direction === 'in' ? [] : fit.filter(({ source }) => source === id).map(({ target }) => target)
  const back = hop.direction === 'out' ? [] : fit.filter(({ target }) => target === id).map(({ source }) => source)
  const own = links.filter(({ source }) => source === id).map(({ target }) => target)
  const wanted = observables.filter(
    (observable) => own.includes(observable.id) && (hop.observable_types?.includes(observable.type) ?? true),
  )
  const sharing = links.filter(({ source, target }) => source !== id && wanted.some((each) => each.id === target))
  return [
    ...(hop.via === 'observables' ? [] : [...out, ...back]),
    ...(hop.via === 'relationships' ? [] : sharing.map(({ source }) => source)),
  ]
}

function drawQuery(chance: Chance, { entities }: Graph): RelationalQuery {
  const ids = chance.some(entities, 0.3).map(({ id }) => id)
  const some = <T>(list: readonly T[]) =>
    chance.flip(0.3) ? { list: [chance.pick(list), ...chance.some(list, 0.3)] } : {}
  const hops = Array.from({ length: 1 + chance.below(4) }, () => {
    const via = chance.pick(VIAS)
    return {
      via,
      ...(via !== 'observables' && {
        direction: chance.pick(['out', 'in', 'any']),
        keys: some(KEYS).list,
        subtypes: some(['stix_update_of', null]).list?.slice(0, 2),
      }),
      ...(via !== 'relationships' && { observable_types: some(OBSERVABLE_TYPES).list }),
      entity_types: some(TYPES).list,
      depth: chance.flip(0.6) ? 1 : 1 + chance.below(5),
      query: chance.flip(0.15) ? chance.pick(TYPES) : undefined,
    }
  })
  // All graphs are in one database, so that a start by type alone would begin in all of them.
  const start = {
    entities: ids.length > 0 ? ids : entities.map(({ id }) => id),
    query: chance.flip(0.2) ? chance.pick(TYPES) : undefined,
  }
  return relationalQuery.parse({ start, hops, include: chance.pick(['last', 'reached', 'all']) })
}

test('the query finds what a walk in memory reaches, for every user', async () => {
  const chance = chanceOf(Number(process.env.SEED ?? 1))
  const graphs = Array.from({ length: 150 }, () => drawGraph(chance))
  await storeGraphs(graphs)
  let reached = 0
  for (const [i, graph] of graphs.entries()) {
    for (const keys of [VIS, chance.some(VIS, 0.6)]) {
      const ctx = contextOf(database.db, keys, { isFarSighted: chance.flip(0.3) })
      const query = drawQuery(chance, graph)
      const expected = walk(seenBy(graph, keys), query)
      reached += expected.length
      assert.deepEqual(await find(ctx, query), expected, `graph ${i}, keys ${keys}: ${JSON.stringify(query)}`)
    }
  }
  assert.ok(reached > 500, `only ${reached} were reached at all`)
})

test('the set can be used as a subquery next to another alias of entities', async () => {
  const chance = chanceOf(7)
  const graph = drawGraph(chance, 20)
  await storeGraphs([graph])
  const ctx = contextOf(database.db, VIS)
  const query = relationalQuery.parse({
    start: { entities: graph.entities.map(({ id }) => id) },
    hops: [{ query: 'tool' }],
  })
  const { rows } = await sql<{ id: string }>`
    select t.id from entities as t
    where t.id in (${relationalSet(ctx, query, where)}) and t.type = 'tool'
    order by t.id`.execute(database.db)
  assert.deepEqual(
    rows.map(({ id }) => id),
    walk(graph, query),
  )
})

test('a start can be visible datasets, narrowed by the other conditions', async () => {
  const graph = drawGraph(chanceOf(11), 20)
  await storeGraphs([graph])
  const [first, ...others] = graph.entities
  assert.ok(first && others.length > 3)
  const { rows } = await sql<{ id: number }>`
    with w as (
      insert into workspaces (name, is_public) values ('open', true), ('closed', false) returning id, name
    ), d as (
      insert into datasets (name) select name from w returning id, name
    ), l as (
      insert into dataset_workspaces (source, target) select d.id, w.id from d join w on w.name = d.name
    ), e as (
      insert into dataset_entities (source, target)
      select d.id, i.id from d cross join jsonb_to_recordset(${JSON.stringify(graph.entities)}::jsonb) as i(id uuid)
      where (d.name = 'open') = (i.id <> ${first.id})
    )
    select id from d order by name desc`.execute(database.db)
  const [open, closed] = rows.map(({ id }) => id)
  const ctx = contextOf(database.db, VIS)
  const ask = (start: unknown) => find(ctx, relationalQuery.parse({ start, hops: [{ via: 'both' }], include: 'all' }))
  const same = (ids: readonly string[]) =>
    walk(graph, relationalQuery.parse({ start: { entities: ids }, hops: [{ via: 'both' }], include: 'all' }))
  const inOpen = others.map(({ id }) => id)
  assert.deepEqual(await ask({ datasets: [open] }), same(inOpen))
  assert.deepEqual(await ask({ datasets: [open, closed] }), same(inOpen))
  assert.deepEqual(await ask({ datasets: [closed] }), [])
  assert.deepEqual(await ask({ datasets: [open], entities: inOpen.slice(0, 2) }), same(inOpen.slice(0, 2)))
  assert.deepEqual(
    await ask({ datasets: [open], query: 'tool' }),
    same(others.filter(({ type }) => type === 'tool').map(({ id }) => id)),
  )
  assert.deepEqual(await ask({ datasets: [open], entities: [first.id] }), [])
})

test('a caller without keys reaches nothing, and unknown ids lead nowhere', async () => {
  const graph = drawGraph(chanceOf(13), 20)
  await storeGraphs([graph])
  const query = relationalQuery.parse({
    start: { entities: graph.entities.map(({ id }) => id) },
    hops: [{ via: 'both', depth: 5 }],
    include: 'all',
  })
  assert.deepEqual(await find(contextOf(database.db, []), query), [])
  const unknown = { ...query, start: { entities: ['018f2b1e-0f4b-7c39-9d4b-0c5a5f6b8a11'] } }
  assert.deepEqual(await find(contextOf(database.db, VIS), unknown), [])
})

test('an observable that very many entities share does not make very many pairs', async () => {
  const entities = Array.from({ length: 4000 }, () => makeTool())
  const graph = {
    entities,
    relationships: [],
    observables: [{ id: 9_000_001, type: 'domain' }],
    links: entities.map(({ id }) => ({ source: id, target: 9_000_001 })),
  }
  await storeGraphs([graph])
  const ids = graph.entities.map(({ id }) => id)
  const query = relationalQuery.parse({
    start: { entities: ids },
    hops: [{ via: 'observables' }, { via: 'observables' }],
  })
  const begun = performance.now()
  assert.equal((await find(contextOf(database.db, VIS), query)).length, 4000)
  assert.ok(performance.now() - begun < 5000, 'sixteen million pairs take longer')
  const alone = relationalQuery.parse({ start: { entities: ids.slice(0, 1) }, hops: [{ via: 'observables' }] })
  assert.equal((await find(contextOf(database.db, VIS), alone)).length, 3999, 'no entity shares with itself')
})
