import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  ask,
  bundle,
  corvus,
  endOf,
  entitiesOf,
  type Item,
  makePushFeed,
  pushed,
  relationship,
} from '../../../../test/set-up/incoming-feeds.ts'

type Object = Item & { readonly id: string }

const malware = (name: string, more: Item = {}): Object => ({
  type: 'malware',
  spec_version: '2.1',
  id: `malware--${randomUUID()}`,
  created: '2024-01-01T00:00:00.000Z',
  modified: '2024-01-01T00:00:00.000Z',
  name,
  is_family: false,
  ...more,
})

let clock = Date.parse('2024-02-01T00:00:00Z')
/** A later version of the object with other content. */
const revised = (object: Object, more: Item): Object => ({
  ...object,
  modified: new Date(clock++).toISOString(),
  ...more,
})

const pattern = (...domains: string[]) => domains.map((domain) => `[domain-name:value = '${domain}']`).join(' OR ')
const indicator = (name: string, ...domains: string[]): Object => ({
  ...malware(name),
  type: 'indicator',
  id: `indicator--${randomUUID()}`,
  pattern: pattern(...domains),
  pattern_type: 'stix',
  valid_from: '2024-01-01T00:00:00.000Z',
})

/** The current content of a feed: its entities by title, with what can be removed from them. */
async function heldBy(feed: { id: number; source: string }): Promise<Record<string, Item>> {
  const held = await entitiesOf(feed)
  const { rows } = await corvus.pool.query<{ id: string; values: string[] }>(
    `select l.source as id, array_agg(o.value order by o.value) as values
     from entity_observables as l join observables as o on o.id = l.target group by 1`,
  )
  const values = new Map(rows.map((row) => [row.id, row.values]))
  return Object.fromEntries(
    held.map(({ id, data, meta }: Item) => [
      (data as Item).title,
      {
        id,
        tags: ((meta as Item).tags as string[]).toSorted(),
        values: values.get(String(id)) ?? [],
        withdrawn: (meta as Item).is_withdrawn,
      },
    ]),
  )
}

const relationshipsOf = async (ids: readonly unknown[]) => {
  const { rows } = await corvus.pool.query('select count(*)::integer as n from relationships where source = any($1)', [
    ids,
  ])
  return rows[0].n
}

test('a later version removes the tags and observables that its feed added, and no others', async () => {
  const feed = await makePushFeed()
  const one = { ...indicator('Taken', 'a.example', 'b.example'), labels: ['red', 'blue', 'both'] }
  await pushed(feed, bundle(one))
  const { Taken: before } = await heldBy(feed)
  assert.partialDeepStrictEqual(before, { tags: ['blue', 'both', 'red'], values: ['a.example', 'b.example'] })
  const { meta } = await ask('GET', `entities/${before?.id}`)
  await ask('PATCH', `entities/${before?.id}`, {
    data: { meta: { tags: [...meta.tags, 'mine', 'yellow'] } },
  })
  await corvus.call('POST', `entities/${before?.id}/observables`, {
    data: [(await ask('POST', 'observables', { data: { type: 'domain', value: 'mine.example' } })).id],
  })
  await pushed(feed, bundle(revised(one, { labels: ['red', 'yellow'], pattern: pattern('b.example') })))
  const { Taken: after } = await heldBy(feed)
  assert.deepEqual(
    [after?.tags, after?.values],
    [
      ['mine', 'red', 'yellow'],
      ['b.example', 'mine.example'],
    ],
  )
  await pushed(feed, bundle(revised(one, { labels: [], pattern: pattern('b.example') })))
  const { Taken: last } = await heldBy(feed)
  assert.deepEqual(last?.tags, ['mine', 'yellow'], 'a tag that was there before the feed said it is not its own')
})

test('with REPLACE, missing entities are marked, missing relationships are removed, and both return when they arrive again', async () => {
  const feed = await makePushFeed({ update_strategy: 'REPLACE' })
  const [one, two, three] = [malware('Stays'), malware('Goes'), malware('Too')]
  const link = relationship(one.id, two.id)
  await pushed(feed, bundle(one, two, three, link, relationship(one.id, three.id)))
  const first = await heldBy(feed)
  const run = await pushed(feed, bundle(one, three, link))
  assert.equal(run.state, 'SUCCESS', run.error_detail)
  assert.partialDeepStrictEqual(run.result, { entities: { withdrawn: 1 }, relationships: { withdrawn: 1 } })
  const held = await heldBy(feed)
  assert.deepEqual(
    ['Stays', 'Goes', 'Too'].map((name) => held[name]?.withdrawn),
    [false, true, false],
  )
  assert.equal(await relationshipsOf([first.Stays?.id]), 1)
  const back = await pushed(feed, bundle(one, two, three, link))
  assert.partialDeepStrictEqual(back.result, { processed: 1 })
  assert.deepEqual((await heldBy(feed)).Goes?.withdrawn, false)
})

test('a setting of the feed keeps or deletes withdrawn entities', async () => {
  for (const [withdrawn, expected] of [
    ['keep', [false, false]],
    ['delete', [undefined, undefined]],
  ] as const) {
    const feed = await makePushFeed({ update_strategy: 'REPLACE', withdrawn })
    const [gone, revoked, there] = [malware('Gone'), malware('Revoked'), malware('There')]
    await pushed(feed, bundle(gone, revoked, there))
    await pushed(feed, bundle(there, revised(revoked, { revoked: true })))
    const held = await heldBy(feed)
    assert.deepEqual([held.Gone?.withdrawn, held.Revoked?.withdrawn], expected)
    assert.equal(held.There?.withdrawn, false)
  }
})

test('without REPLACE, absence withdraws nothing, and revoked objects are withdrawn', async () => {
  const feed = await makePushFeed()
  const [one, two] = [malware('First'), malware('Second')]
  const link = relationship(one.id, two.id)
  await pushed(feed, bundle(one, two, link))
  await pushed(feed, bundle(revised(one, { name: 'First, revised' })))
  let held = await heldBy(feed)
  assert.equal(held.Second?.withdrawn, false)
  const gone = revised(two, { revoked: true })
  await pushed(feed, bundle(gone, revised(link as Object, { revoked: true })))
  held = await heldBy(feed)
  assert.equal(held.Second?.withdrawn, true)
  assert.equal(await relationshipsOf([held['First, revised']?.id]), 0)
  await pushed(feed, bundle(two))
  assert.equal((await heldBy(feed)).Second?.withdrawn, true, 'an older version does not bring it back')
  await pushed(feed, bundle(revised(two, { name: 'Second, again' })))
  assert.equal((await heldBy(feed))['Second, again']?.withdrawn, false)
})

test('observables joined to an entity by a separate relationship stay when only the entity arrives again', async () => {
  const feed = await makePushFeed()
  const one = malware('Joined')
  const address = { type: 'ipv4-addr', spec_version: '2.1', id: `ipv4-addr--${randomUUID()}`, value: '192.0.2.77' }
  await pushed(feed, bundle(one, address, relationship(one.id, address.id)))
  assert.deepEqual((await heldBy(feed)).Joined?.values, ['192.0.2.77'])
  await pushed(feed, bundle(revised(one, { description: 'More.' })))
  assert.deepEqual((await heldBy(feed)).Joined?.values, ['192.0.2.77'])
})

test('references that a new version of an object no longer has are removed', async () => {
  const feed = await makePushFeed()
  const [one, two] = [malware('Named'), malware('Dropped')]
  const report = {
    ...malware('Report'),
    type: 'report',
    id: `report--${randomUUID()}`,
    published: '2024-01-01T00:00:00Z',
  }
  await pushed(feed, bundle(one, two, { ...report, object_refs: [one.id, two.id] }))
  const { Report: made } = await heldBy(feed)
  assert.equal(await relationshipsOf([made?.id]), 2)
  await pushed(feed, bundle(revised(report, { object_refs: [one.id] })))
  assert.equal(await relationshipsOf([made?.id]), 1)
})

test('a transfer that fails, is cut off, or is something else withdraws nothing', async () => {
  const feed = await makePushFeed({ update_strategy: 'REPLACE' })
  const [one, two] = [malware('Safe one'), malware('Safe two')]
  await pushed(feed, bundle(one, two))
  for (const content of [
    bundle(one).slice(0, -20),
    '{"type": "bundle", "objects": [{"type": "malware"',
    '<html><title>Sign in</title><p>Please sign in.</p></html>',
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  ])
    await pushed(feed, content)
  const held = await heldBy(feed)
  assert.deepEqual([held['Safe one']?.withdrawn, held['Safe two']?.withdrawn], [false, false])
  await pushed(feed, bundle(one, { ...two, modified: 'nonsense', id: two.id, name: 7 }))
  const { rows } = await corvus.pool.query('select is_withdrawn from entities where stix_id = $1', [two.id])
  assert.deepEqual(rows, [{ is_withdrawn: false }], 'what cannot be read this time is there all the same')
})

test('processing earlier content again removes nothing that arrived later', async () => {
  const feed = await makePushFeed({ update_strategy: 'REPLACE' })
  const [one, two] = [malware('Early'), malware('Late')]
  await pushed(feed, bundle(one))
  await pushed(feed, bundle(one, two))
  const blobs = await ask('GET', `incoming-feeds/${feed.id}/blobs`)
  const { task_run } = await ask('POST', `incoming-feeds/${feed.id}/blobs/${blobs[0].id}/process`)
  await endOf(task_run)
  assert.equal((await heldBy(feed)).Late?.withdrawn, false)
})

/** Sends a table of differences. */
const differences = (feed: { id: number }, ...rows: string[]) =>
  pushed(feed, ['diff,data.id,data.type,data.title', ...rows, ''].join('\r\n'), 'differences.csv')

test('a row that a DIFF table changes is the same entity afterwards, also where the feed deletes what is withdrawn', async () => {
  const feed = await makePushFeed({ update_strategy: 'DIFF', withdrawn: 'delete' })
  await differences(feed, 'add,diff-x,malware,Before', 'add,diff-y,malware,Stays')
  const { Before: before } = await heldBy(feed)
  await ask('PATCH', `entities/${before?.id}`, { data: { meta: { tags: ['mine'] } } })
  await differences(feed, 'del,diff-x,malware,Before')
  assert.equal((await heldBy(feed)).Before?.withdrawn, true, 'it may be in the table that follows')
  await differences(feed, 'add,diff-x,malware,After')
  assert.partialDeepStrictEqual((await heldBy(feed)).After, { id: before?.id, tags: ['mine'], withdrawn: false })
})

async function keepHouse(): Promise<void> {
  const [{ id }] = await ask('GET', 'tasks?filter[type]=housekeeping')
  const run = await endOf(`tasks/runs/${(await ask('POST', 'tasks/runs', { data: { task: id } })).id}`)
  assert.equal(run.state, 'SUCCESS', run.error_detail)
}

test('a row that a DIFF table removes is deleted once it is certain that it does not return', async () => {
  const feed = await makePushFeed({ update_strategy: 'DIFF', withdrawn: 'delete' })
  const titles = async () => Object.keys(await heldBy(feed)).sort()
  await differences(feed, 'add,gone-x,malware,X', 'add,gone-y,malware,Y', 'add,gone-z,malware,Z')
  await differences(feed, 'del,gone-x,malware,X', 'add,gone-w,malware,W')
  assert.deepEqual(await titles(), ['W', 'Y', 'Z'], 'the same table tells what came')
  await differences(feed, 'del,gone-y,malware,Y')
  await differences(feed, 'del,gone-z,malware,Z')
  assert.deepEqual(await titles(), ['W', 'Z'], 'the next table does not have it')
  await keepHouse()
  assert.deepEqual(await titles(), ['W', 'Z'])
  await corvus.pool.query(`update feed_entities set gone_at = now() - interval '2 hours' where gone_at is not null`)
  await keepHouse()
  assert.deepEqual(await titles(), ['W'], 'no table came for a while')
})

test('a strategy that the transport does not support is a 400', async () => {
  const transport_configuration = { url: 'https://feeds.example/x', collection_id: 'x' }
  for (const [transport_type, update_strategy] of [
    ['rss', 'REPLACE'],
    ['misp-feed', 'DIFF'],
    ['taxii2', 'DIFF'],
  ]) {
    const data = { name: randomUUID(), transport_type, update_strategy, transport_configuration }
    const { status, body } = await corvus.call('POST', 'incoming-feeds', { data })
    assert.equal(status, 400, transport_type)
    assert.match(body[0].detail, /update_strategy/)
  }
  const feed = await makePushFeed({ update_strategy: 'DIFF' })
  const patch = { data: { transport_type: 'rss', transport_configuration: { url: 'https://feeds.example/x' } } }
  assert.equal((await corvus.call('PATCH', `incoming-feeds/${feed.id}`, patch)).status, 400)
})

test('an entity that a group has taken over can no longer be marked or deleted by the feed', async () => {
  for (const withdrawn of ['mark', 'delete']) {
    const feed = await makePushFeed({ update_strategy: 'REPLACE', withdrawn })
    const [stays, taken] = [malware(`Stays ${withdrawn}`), malware(`Taken over ${withdrawn}`)]
    await pushed(feed, bundle(stays, taken))
    const { id } = (await heldBy(feed))[`Taken over ${withdrawn}`] ?? {}
    const { source } = await ask('GET', 'groups/1')
    await ask('PATCH', `entities/${id}`, { data: { sources: [source] } })
    const run = await pushed(feed, bundle(stays))
    assert.equal(run.state, 'SUCCESS', run.error_detail)
    assert.equal((await ask('GET', `entities/${id}`)).meta.is_withdrawn, false, withdrawn)
  }
})
