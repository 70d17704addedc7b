import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { BASE } from '../../../test/app.ts'
import {
  AT,
  all,
  between,
  corvus,
  type Item,
  make,
  own,
  put,
  report,
  ship,
  statements,
} from '../../../test/set-up/shipping.ts'

test('an entity is exported as the API shows it, with everything linked to it', async () => {
  const [root] = await make('taxonomies', { path: 'sector/energy' })
  const leaf = (await corvus.call('GET', 'taxonomies?filter[name]=energy')).body.data[0]
  const attachment = await make('entities/attachments', { data: 'aGVyb24=', filename: 'heron.txt', meta: { pages: 1 } })
  const [entity] = await put('entities', [
    report('heron', {
      meta: {
        tags: ['a', 'b'],
        tlp_color: 'GREEN',
        taxonomies: [root.id, leaf.id],
        attacks: ['TA0001'],
        half_life: 10,
        estimated_threat_start_time: '2026-05-22T00:00:00Z',
      },
      observables: [{ type: 'domain', value: 'heron.example', link_type: 'observed', maliciousness: 'high' }],
      attachments: [attachment.id],
    }),
  ])
  await corvus.db
    .insertInto('stix_objects')
    .values({ entity_id: entity.id, stix_id: 'note--1', object: JSON.stringify({ type: 'x', id: 'note--1' }) })
    .execute()
  const { shipment, entities } = await all('heron')
  const [shipped] = entities
  assert.ok(shipped)
  const answered = (await corvus.call('GET', `entities/${entity.id}`)).body.data
  assert.deepEqual(shipped.data, answered.data)
  assert.deepEqual(shipped.meta, { ...answered.meta, taxonomies: [root.id, leaf.id], attacks: ['TA0001'] })
  assert.deepEqual(shipped.taxonomy_paths, [['sector'], ['sector', 'energy']])
  assert.equal(shipped.relevancy, 0.5)
  const source = { id: own.split('/').at(-1), name: 'Default', type: 'group' }
  assert.deepEqual(shipped.sources, [source])
  assert.deepEqual([shipped.created_at, shipped.last_updated_at], [answered.created_at, answered.last_updated_at])
  const [observable] = shipped.observables
  const known = (await corvus.call('GET', 'observables?filter[value]=heron.example')).body.data[0]
  assert.deepEqual(observable, {
    id: known.id,
    type: 'domain',
    value: 'heron.example',
    meta: { maliciousness: 'high' },
    created_at: known.created_at,
    last_updated_at: known.last_updated_at,
    link_type: 'observed',
    sources: [source],
  })
  const [first] = shipped.attachments
  assert.ok(first)
  const { open, ...file } = first
  const { id, filename, size, content_type, hashes, meta } = (
    await corvus.call('GET', `entities/attachments/${attachment.id}`)
  ).body.data
  assert.deepEqual(file, { id, filename, size, content_type, sha256: hashes.sha256, meta })
  for (const _ of [1, 2]) assert.equal(String(await buffer(open())), 'heron')
  assert.deepEqual(shipped.kept, [{ id: 'note--1', object: { type: 'x', id: 'note--1' } }])
  assert.deepEqual(
    [shipment.at, shipment.baseUrl, shipment.producer],
    [AT, BASE, { namespace: `${BASE}/`, alias: '', name: 'Corvus' }],
  )
})

test('relationships are exported if both ends are, ordered by source, and the same on every reading', async () => {
  const made = await put('entities', [report('crane a'), report('crane b'), report('crane c'), report('elsewhere')])
  const [a, b, c, other] = made
  await put('relationships', [
    between(c, 'related-to', a),
    between(a, 'uses', b, { meta: { tlp_color: 'GREEN' }, data: { source: a.id, key: 'uses', target: b.id, note: 1 } }),
    between(b, 'related-to', c),
    between(a, 'related-to', other),
    between(other, 'related-to', a),
  ])
  const { shipment, entities, relationships } = await all('crane')
  const ids = entities.map(({ data }) => data.id)
  assert.deepEqual(ids, [a.data.id, b.data.id, c.data.id])
  assert.deepEqual(
    relationships.map(({ data }) => [data.source, data.key, data.target]),
    [
      [a.data.id, 'uses', b.data.id],
      [b.data.id, 'related-to', c.data.id],
      [c.data.id, 'related-to', a.data.id],
    ],
  )
  const [first] = relationships
  assert.deepEqual(
    [first?.data.note, first?.meta.tlp_color, first?.source_type, first?.target_type],
    [1, 'GREEN', 'report', 'report'],
  )
  assert.deepEqual(
    first?.sources.map(({ name }) => name),
    ['Default'],
  )
  assert.deepEqual(await Array.fromAsync(shipment.relationships()), relationships)
  const none = await Array.fromAsync(shipment.entities(new Set(['indicator'])))
  assert.deepEqual(none, [])
  const again = await Array.fromAsync(shipment.entities(new Set(['report', 'indicator'])))
  assert.deepEqual(JSON.stringify(again), JSON.stringify(entities))
})

test('the number of statements grows with the number of batches, not of entities, and hubs are read in pages', async () => {
  const spokes = Array.from({ length: 1200 }, (_, i) =>
    report(`plover ${i}`, { observables: [{ type: 'ipv4', value: `198.51.${i >> 8}.${i & 255}` }] }),
  )
  const [hub, ...others] = await put('entities', [report('plover hub'), ...spokes])
  await put(
    'relationships',
    others.map((other: Item) => between(hub, 'related-to', other)),
  )
  statements.length = 0
  const { entities, relationships } = await all('plover')
  assert.equal(entities.length, 1201)
  assert.equal(new Set(relationships.map(({ id }) => id)).size, 1200)
  assert.ok(statements.length < 60, String(statements.length))
})

test('an entity that is too large to be read with others is read alone', async () => {
  const long = 'x'.repeat(900_000)
  await put(
    'entities',
    Array.from({ length: 5 }, (_, i) => ({ data: { type: 'report', title: `bittern ${i}`, description: long } })),
  )
  statements.length = 0
  const { entities } = await all('bittern')
  assert.deepEqual(
    entities.map(({ data }) => [data.title, String(data.description).length]),
    [0, 1, 2, 3, 4].map((i) => [`bittern ${i}`, 900_000]),
  )
  const reads = statements.filter((statement) => statement.includes('t.threat_start'))
  assert.equal(reads.length, 3)
})

test('objects deleted during an export are left out, with relationships to them', async () => {
  const [a, b] = await put('entities', [report('avocet a'), report('avocet b')])
  await put('relationships', [between(a, 'related-to', b)])
  const shipment = await ship('avocet')
  await corvus.call('DELETE', `entities/${b.id}`)
  const entities = await Array.fromAsync(shipment.entities())
  assert.deepEqual(
    entities.map(({ data }) => data.title),
    ['avocet a'],
  )
  assert.deepEqual(await Array.fromAsync(shipment.relationships()), [])
})

test('placeholders are not exported, but relationships to them are', async () => {
  const unknown = '{https://elsewhere.example/}malware-00000000-0000-4000-8000-000000000001'
  const [entity] = await put('entities', [report('dunlin')])
  await put('relationships', [{ data: { source: entity.id, key: 'uses', target: unknown }, sources: [own] }])
  const { entities, relationships } = await all('dunlin', { related_entities: true })
  assert.deepEqual(
    entities.map(({ data }) => data.title),
    ['dunlin'],
  )
  assert.deepEqual(
    relationships.map(({ data, target_type }) => [data.target, target_type]),
    [[unknown, 'malware']],
  )
})
