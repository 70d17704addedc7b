import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, type Item } from '../../../test/publishing/set-up.ts'
import type { Group } from '../../../test/set-up/exported-unified.ts'
import { home, makeFeed, makeGroupOfTwo, north, publish, shown, south } from '../../../test/set-up/unified-feeds.ts'

const APART = ['one', 'one uses tool', 'tool', 'two', 'two uses tool']

test('a feed with REPLACE sends what its consolidation says', async () => {
  const set = await makeGroupOfTwo()
  const unified = await set.unify()
  const cases: readonly [Item, string[]][] = [
    [{}, APART],
    [{ consolidation: 'unified' }, ['tool', 'unified', 'unified uses tool']],
    [{ consolidation: 'all' }, [...APART, 'unified', 'unified derived-from one', 'unified derived-from two'].sort()],
    [{ consolidation: 'all', include_relationships: false }, ['one', 'tool', 'two', 'unified']],
  ]
  for (const [more, expected] of cases) {
    const feed = await makeFeed(set, more)
    const [text] = await publish(feed)
    assert.deepEqual(shown(text, set), expected, JSON.stringify(more))
    const { body } = await corvus.call('GET', `entities/${unified.id}`)
    assert.equal(body.data.outgoing_feeds.length > 0, more.consolidation !== undefined, JSON.stringify(more))
  }
})

test('a run without changes sends nothing, whatever the consolidation', async () => {
  const set = await makeGroupOfTwo()
  await set.unify()
  for (const consolidation of ['contributors', 'unified', 'all']) {
    const feed = await makeFeed(set, { consolidation, update_strategy: 'APPEND' })
    assert.equal((await publish(feed)).length, 1)
    assert.equal((await publish(feed)).length, 0, consolidation)
  }
})

test('a feed that is changed to another consolidation starts over', async () => {
  const set = await makeGroupOfTwo()
  await set.unify()
  const feed = await makeFeed(set, { consolidation: 'contributors', update_strategy: 'APPEND' })
  await publish(feed)
  const change = async (data: Item) => (await corvus.call('PATCH', `outgoing-feeds/${feed.id}`, { data })).body.data
  assert.equal((await change({ consolidation: 'contributors', description: 'same' })).epoch, 1)
  assert.equal((await change({ consolidation: 'unified' })).epoch, 2)
  assert.deepEqual(shown((await publish(feed))[0], set), ['tool', 'unified', 'unified uses tool'])
  const { status } = await corvus.call('PATCH', `outgoing-feeds/${feed.id}`, { data: { consolidation: 'none' } })
  assert.equal(status, 400)
})

test('filters that exclude a contributor keep what was made from it', async () => {
  const set = await makeGroupOfTwo({ meta: { tags: ['shared'], source_reliability: 'A' } })
  await set.unify()
  const entitiesOf = async (filters: Item) => {
    const feed = await makeFeed(set, { consolidation: 'unified', include_relationships: false, ...filters })
    return shown((await publish(feed))[0], set)
  }
  const sources = (...groups: Group[]) => ({ whitelist_sources: groups.map(({ source }) => source) })
  assert.deepEqual(await entitiesOf({ whitelist_tags: ['shared'], source_reliability_filter: 'A' }), [
    'tool',
    'unified',
  ])
  assert.deepEqual(await entitiesOf(sources(home, north, south)), ['tool', 'unified'])
  assert.deepEqual(await entitiesOf(sources(home, north)), ['one', 'tool'])
  assert.deepEqual(await entitiesOf({ ...sources(home, north), consolidation: 'all' }), ['one', 'tool'])
  const change = (meta: Item) => corvus.call('PATCH', `entities/${set.two.id}`, { data: { meta } })
  assert.equal((await change({ tags: [] })).status, 200)
  assert.deepEqual(await entitiesOf({ whitelist_tags: ['shared'] }), ['one', 'tool'])
  assert.equal((await change({ source_reliability: 'C' })).status, 200)
  assert.deepEqual(await entitiesOf({ source_reliability_filter: 'B' }), ['one', 'tool'])
  assert.deepEqual(await entitiesOf({ source_reliability_filter: 'C' }), ['tool', 'unified'])
  assert.deepEqual(await entitiesOf({ tlp_color_filter: 'WHITE' }), [])
})

test('a unified entity above the highest colour is not sent, but contributors below it are', async () => {
  const set = await makeGroupOfTwo()
  await set.unify('RED')
  const feed = await makeFeed(set, { consolidation: 'unified', tlp_color_filter: 'GREEN' })
  assert.deepEqual(shown((await publish(feed))[0], set), APART)
})
