import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE } from '../../../test/app.ts'
import { contextOf, corvus, makeFeed, ok, person } from '../../../test/set-up/outgoing-feeds.ts'
import { TLP } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { letterheadOf, shipmentOf } from '../../exchange/exporting/shipment.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { findIds } from '../../intelligence/by-query/snapshot.ts'
import { findOutgoingFeed } from './feed.ts'
import { feedConfiguration, feedEntities } from './selection.ts'

type Item = Record<string, unknown>

const AT = '2026-06-01T00:00:00.000000+00:00'
const own: string = (await ok('GET', 'groups?filter[name]=Default'))[0].source
const desk = await ok('POST', 'groups', { name: 'Desk' })
const [, energy] = await ok('POST', 'taxonomies', { path: 'sector/energy' })
const [sector] = await ok('GET', 'taxonomies?filter[name]=sector')

/** A user who sees the sources of both groups. */
const owner = await person(
  ['Default', 'Desk'],
  [
    ...['outgoing-feeds', 'entities', 'extracts', 'intel-sets', 'taxonomies'].flatMap((name) => [
      `read ${name}`,
      `modify ${name}`,
    ]),
    'read sources',
    'read groups',
  ],
)

const observables = [
  { type: 'domain', value: 'a.example', maliciousness: 'high', link_type: 'sighted' },
  { type: 'ipv4', value: '192.0.2.1', maliciousness: 'safe', link_type: 'observed' },
  { type: 'email', value: 'a@b.example' },
]
const entity = (title: string, type: string, meta: Item = {}, more: Item = {}) => ({
  data: { type, title },
  meta: { estimated_threat_start_time: '2026-05-22T00:00:00Z', half_life: 1000, ...meta },
  ...more,
})
const made = await ok(
  'PUT',
  'entities',
  [
    entity('a', 'indicator', { tlp_color: 'GREEN', tags: ['Red Team', 'x'], source_reliability: 'A' }, { observables }),
    entity('b', 'indicator', { tlp_color: 'RED', taxonomies: [energy.id], source_reliability: 'C' }),
    entity('c', 'report', { tlp_color: 'AMBER', tags: ['y'], taxonomies: [sector.id] }, { sources: [desk.source] }),
    entity('d', 'malware', { half_life: 10 }),
    entity('outside', 'report'),
  ],
  owner,
)
const [a, b, c] = made
const listed = await ok('POST', 'datasets', { name: 'listed', workspaces: [1], entities: [a.id, b.id, c.id] }, owner)
const dynamic = await ok('POST', 'datasets', { name: 'dynamic', workspaces: [1], search_query: 'type:malware' }, owner)
await ok(
  'PUT',
  'relationships',
  [
    { data: { source: a.id, key: 'related-to', target: b.id }, sources: [own] },
    { data: { source: a.id, key: 'related-to', target: c.id }, sources: [own, desk.source] },
    { data: { source: b.id, key: 'related-to', target: a.id }, sources: [desk.source], meta: { tlp_color: 'RED' } },
  ],
  owner,
)

/** The content of a feed of both datasets, by the titles of entities. */
async function found(filters: Item, token = owner) {
  const { id } = await makeFeed({ datasets: [listed.id, dynamic.id], ...filters }, token)
  const feed = await findOutgoingFeed(corvus.db, id)
  assert.ok(feed)
  const ctx = { ...(await contextOf(token)), at: AT }
  const ids = await findIds(ctx, await feedEntities(ctx, feed))
  const reading = {
    configuration: feedConfiguration(feed),
    db: ctx.db,
    read: <T>(work: (inside: Context) => Promise<T>) => work(ctx),
  }
  const shipment = shipmentOf(await letterheadOf(ctx, BASE, AT), ids, reading)
  const entities = await Array.fromAsync(shipment.entities())
  const relationships = await Array.fromAsync(shipment.relationships())
  const titles = entities.map(({ data }) => data.title).sort()
  return { feed, ctx, entities, relationships, titles: titles.join('') }
}

test('a feed contains the entities of all of its datasets, and nothing without datasets', async () => {
  assert.equal((await found({})).titles, 'abcd')
  assert.equal((await found({ datasets: [listed.id] })).titles, 'abc')
  assert.equal((await found({ datasets: [dynamic.id] })).titles, 'd')
  assert.equal((await found({ datasets: [] })).titles, '')
})

test('each filter works alone and in combination with the others', async () => {
  const cases: readonly [Item, string][] = [
    [{ whitelist_sources: [desk.source] }, 'c'],
    [{ whitelist_sources: [desk.source, own] }, 'abcd'],
    [{ whitelist_tags: ['red team'] }, 'a'],
    [{ whitelist_tags: ['red team', 'Y'] }, 'ac'],
    [{ whitelist_tags: ['red'] }, ''],
    [{ whitelist_taxonomy_nodes: [energy.id] }, 'b'],
    [{ whitelist_taxonomy_nodes: [sector.id] }, 'bc'],
    [{ entity_types: ['indicator', 'malware'] }, 'abd'],
    [{ tlp_color_filter: 'RED' }, 'abcd'],
    [{ tlp_color_filter: 'AMBER_STRICT' }, 'acd'],
    [{ tlp_color_filter: 'AMBER' }, 'acd'],
    [{ tlp_color_filter: 'CLEAR' }, 'd'],
    [{ tlp_color_filter: 'NONE' }, 'd'],
    [{ source_reliability_filter: 'A' }, 'a'],
    [{ source_reliability_filter: 'C' }, 'ab'],
    [{ source_reliability_filter: 'F' }, 'abcd'],
    [{ half_life_filter: 50 }, 'abcd'],
    [{ half_life_filter: 51 }, 'abc'],
    [{ half_life_filter: 100 }, ''],
    [{ half_life_filter: 0 }, 'abcd'],
    [{ entity_types: ['indicator'], tlp_color_filter: 'GREEN', whitelist_tags: ['x'], half_life_filter: 90 }, 'a'],
  ]
  for (const [filters, titles] of cases) {
    assert.equal((await found(filters)).titles, titles, JSON.stringify(filters))
  }
})

test('observables are filtered by type, state and link type', async () => {
  const values = async (filters: Item) =>
    (await found({ datasets: [listed.id], ...filters })).entities
      .find(({ data }) => data.title === 'a')
      ?.observables.map(({ type }) => type)
      .sort()
      .join(' ')
  assert.equal(await values({}), 'domain email ipv4')
  assert.equal(await values({ extract_types: ['email', 'ipv4'] }), 'email ipv4')
  assert.equal(await values({ allowed_extract_states: ['safe'] }), 'ipv4')
  assert.equal(await values({ allowed_extract_states: ['malicious', 'unknown'] }), 'domain email')
  assert.equal(await values({ allowed_link_types: ['sighted'] }), 'domain')
  assert.equal(await values({ allowed_link_types: ['sighted'], include_without_link_type: true }), 'domain email')
  assert.equal(await values({ allowed_link_types: ['sighted'], allowed_extract_states: ['safe'] }), '')
})

test('relationships are sent between entities that are sent, if their source and colour allow it', async () => {
  const count = async (filters: Item) => (await found(filters)).relationships.length
  assert.equal(await count({}), 3)
  assert.equal(await count({ include_relationships: false }), 0)
  assert.equal(await count({ tlp_color_filter: 'AMBER' }), 1)
  const limited = await found({ whitelist_sources: [own] })
  assert.deepEqual(
    limited.relationships.map(({ sources }) => sources.map(({ name }) => name)),
    [['Default']],
  )
  assert.equal(limited.titles, 'abd')
})

test('a feed that is limited to sources reveals nothing of others, not even through observables', async () => {
  const shared = { data: { type: 'report', title: 'elsewhere' }, sources: [desk.source], observables: [observables[0]] }
  await ok('PUT', 'entities', [shared], owner)
  const sourcesIn = async (filters: Item) =>
    (await found(filters)).entities
      .flatMap((each) => each.observables.flatMap(({ sources }) => sources))
      .map(({ name }) => name)
  assert.ok((await sourcesIn({})).includes('Desk'))
  assert.ok(!(await sourcesIn({ whitelist_sources: [own] })).includes('Desk'))
})

test('a feed contains nothing that its owner may not see', async () => {
  const permissions = ['read outgoing-feeds', 'modify outgoing-feeds', 'read entities', 'read intel-sets']
  const { titles } = await found({}, await person(['Default'], permissions))
  assert.equal(titles, 'abd')
})

test('the keys of a feed are those of its owner that its sources and colour allow', async () => {
  const { ctx, feed } = await found({})
  assert.equal(feed.keys.length, 2 * TLP.length)
  assert.deepEqual(feed.keys, sightOf(ctx).keys)
  const one = await found({ whitelist_sources: [desk.source], tlp_color_filter: 'GREEN' })
  const { rows } = await corvus.pool.query('select number from sources where id = $1', [desk.source.split('/').at(-1)])
  assert.equal(one.feed.keys.length, 3)
  assert.deepEqual(
    one.feed.keys.map((key) => [sourceOf(key), rankOf(key)]),
    [0, 1, 2].map((rank) => [rows[0].number, rank]),
  )
})
