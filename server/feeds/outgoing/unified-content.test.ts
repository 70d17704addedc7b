import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE } from '../../../test/app.ts'
import { type Group, unifying } from '../../../test/set-up/exported-unified.ts'
import { contextOf, corvus, download, makeFeed, ok, person, writeBlock } from '../../../test/set-up/outgoing-feeds.ts'
import type { Context } from '../../engine/context.ts'
import { letterheadOf, shipmentOf } from '../../exchange/exporting/shipment.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { findIds } from '../../intelligence/by-query/snapshot.ts'
import { findOutgoingFeed } from './feed.ts'
import { feedConfiguration, feedEntities, mayLeaveBy } from './selection.ts'

type Item = Record<string, unknown>

const { makeGroup, entity, join, relate } = unifying(corvus)
const home = await makeGroup('Home')
const north = await makeGroup('North')
const south = await makeGroup('South')

const one = await entity(north, 'malware', 'one')
const two = await entity(south, 'malware', 'two', { meta: { tlp_color: 'AMBER' } })
const tool = await entity(north, 'tool', 'tool')
await relate(one, 'uses', tool, north)
await relate(two, 'uses', tool, south)
const unified = await entity(home, 'malware', 'unified', { meta: { tlp_color: 'AMBER' } })
await join(unified, [one, two])
const entities = [one, two, tool].map(({ id }) => id)
const dataset: number = (await ok('POST', 'datasets', { name: 'Two and a tool', workspaces: [1], entities })).id

const PERMISSIONS = ['outgoing-feeds', 'content-blocks', 'entities', 'extracts', 'intel-sets', 'groups', 'sources'].map(
  (name) => `read ${name}`,
)

/** A user who is allowed these sources at any colour, and nothing else. */
async function userOf(name: string, groups: readonly Group[]): Promise<string> {
  const token = await person([], [...PERMISSIONS, 'modify outgoing-feeds'])
  const { id } = await ok('GET', 'users/self', undefined, token)
  await ok('POST', 'groups', { name, users: [id], sources: groups.map(({ source }) => `${source}?allowed_tlp=RED`) })
  return token
}

/** What a feed of this user sends, as titles and relationships. */
async function contentOf(token: string, more: Item) {
  const { id } = await makeFeed({ datasets: [dataset], ...more }, token)
  const feed = (await findOutgoingFeed(corvus.db, id)) ?? assert.fail()
  const ctx = { ...(await contextOf(token)), at: '2026-06-01T00:00:00.000000+00:00' }
  const found = await findIds(ctx, await feedEntities(ctx, feed))
  const reading = {
    configuration: feedConfiguration(feed),
    mayLeave: (inside: Context) => mayLeaveBy(inside, feed),
    db: ctx.db,
    read: <T>(work: (inside: Context) => Promise<T>) => work(ctx),
  }
  const shipment = shipmentOf(await letterheadOf(ctx, BASE, ctx.at), found, reading)
  const shipped = await Array.fromAsync(shipment.entities())
  const titles = new Map(shipped.map(({ data }) => [data.id, data.title]))
  const relationships = await Array.fromAsync(shipment.relationships())
  const between = relationships.map(({ data }) => `${titles.get(data.source)} ${data.key} ${titles.get(data.target)}`)
  return { feed, id, told: [...titles.values(), ...between].sort() }
}

const keysOf = async (token: string): Promise<number> => sightOf(await contextOf(token)).keys.length

const seesAll = await userOf('All', [home, north, south])
const seesNorth = await userOf('Half', [home, north])

test('a feed whose owner does not see every contributor sends those that they see, unmerged', async () => {
  for (const consolidation of ['contributors', 'unified', 'all'])
    assert.deepEqual(
      (await contentOf(seesNorth, { consolidation })).told,
      ['one', 'one uses tool', 'tool'],
      consolidation,
    )
  assert.deepEqual((await contentOf(seesAll, { consolidation: 'unified' })).told, [
    'tool',
    'unified',
    'unified uses tool',
  ])
})

test('an owner who is no longer allowed a contributor publishes the others from then on', async () => {
  const token = await userOf('For now', [home, north, south])
  const before = await contentOf(token, { consolidation: 'unified' })
  assert.ok(before.told.includes('unified'))
  const [group] = (await corvus.call('GET', 'groups?filter[name]=For now')).body.data
  const sources = [home, north].map(({ source }) => `${source}?allowed_tlp=RED`)
  await ok('PATCH', `groups/${group.id}`, { sources })
  assert.deepEqual((await contentOf(token, { consolidation: 'unified' })).told, ['one', 'one uses tool', 'tool'])
})

test('the keys of a feed include those of unified entities if it sends any, within its sources and colour', async () => {
  const [{ vis }] = (await corvus.pool.query('select vis from entities where id = $1', [unified.id])).rows
  const cases: readonly [Item, boolean][] = [
    [{}, false],
    [{ consolidation: 'unified' }, true],
    [{ consolidation: 'all' }, true],
    [{ consolidation: 'unified', tlp_color_filter: 'GREEN' }, false],
    [{ consolidation: 'unified', whitelist_sources: [north.source] }, false],
    [{ consolidation: 'unified', whitelist_sources: [home.source, north.source, south.source] }, true],
  ]
  for (const [more, isThere] of cases)
    assert.equal((await contentOf(seesAll, more)).feed.keys.includes(vis), isThere, JSON.stringify(more))
  assert.ok((await keysOf(seesAll)) > (await keysOf(seesNorth)))
})

test('content with unified entities is read only by those who see every contributor, unless the feed has groups', async () => {
  const whitelist_sources = [home.source, north.source]
  const reads = async (more: Item, token: string) => {
    const { id } = await contentOf(seesAll, more)
    await writeBlock(id, 'x', { token: seesAll })
    return (await download(`outgoing-feeds/${id}/latest/content`, token)).status
  }
  assert.equal(await reads({ consolidation: 'contributors', whitelist_sources }, seesNorth), 200)
  assert.equal(await reads({ consolidation: 'unified', whitelist_sources }, seesNorth), 404)
  assert.equal(await reads({ consolidation: 'unified', whitelist_sources }, seesAll), 200)
})

test('stale contributors are part of a unified entity that is relevant itself', async () => {
  const old = { half_life: 1, estimated_threat_start_time: '2020-01-01T00:00:00Z' }
  const stale = await entity(north, 'tool', 'stale', { meta: old })
  const fresh = await entity(home, 'tool', 'fresh', { meta: { half_life: 10_000 } })
  await join(fresh, [stale])
  await corvus.pool.query('insert into dataset_entities (source, target) values ($1, $2)', [dataset, stale.id])
  const titles = async (consolidation: string) =>
    (await contentOf(seesAll, { consolidation, half_life_filter: 50 })).told
  assert.ok(!(await titles('contributors')).includes('stale'))
  assert.ok((await titles('unified')).includes('fresh'))
})

test('a unified entity means its contributors if it was added to a dataset, not if a query found it', async () => {
  const tagged = await entity(north, 'tool', 'tagged', { meta: { tags: ['for partners'] } })
  const untagged = await entity(south, 'tool', 'untagged')
  const both = await entity(home, 'tool', 'both', { meta: { tags: ['for partners'] } })
  await join(both, [tagged, untagged])
  const make = async (name: string, more: Item): Promise<number> =>
    (await ok('POST', 'datasets', { name, workspaces: [1], ...more })).id
  const found = await make('For partners', { search_query: 'tags:"for partners"' })
  const added = await make('Added by hand', { entities: [both.id] })
  assert.deepEqual((await contentOf(seesAll, { datasets: [found] })).told, ['tagged'])
  assert.deepEqual((await contentOf(seesAll, { datasets: [added] })).told, ['tagged', 'untagged'])
  assert.deepEqual((await contentOf(seesAll, { datasets: [found], consolidation: 'unified' })).told, ['both'])
})
