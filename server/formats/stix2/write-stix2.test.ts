import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyShippedEntity, shipmentOf, shippedAttachment, shippedEntity, writtenBy } from '../../../test/shipments.ts'
import { assertValid, exportOf, findingsOf, isWithoutValidator } from '../../../test/stix-round-trip.ts'
import type { FoundEntity } from '../finding.ts'
import type { ShippedEntity, ShippedRelationship } from '../shipment.ts'
import { EXTENSION_ID } from './extension.ts'
import { isLater } from './times.ts'
import { writeStix2 } from './write-stix2.ts'

type Fields = Record<string, unknown>

const UUID = '4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a11'
const NOW = '2024-01-29T07:42:07.059329+00:00'

async function objectsOf(entities: readonly ShippedEntity[], relationships: readonly ShippedRelationship[] = []) {
  const { bytes, losses } = await writtenBy(writeStix2, shipmentOf(entities, relationships))
  const { objects } = JSON.parse(bytes.toString()) as { objects: Fields[] }
  return {
    text: bytes.toString(),
    objects,
    losses,
    of: (type: string) => objects.filter((object) => object.type === type),
  }
}

const observable = (type: string, value: string, maliciousness = 'unknown') => ({
  id: 1,
  type,
  value,
  meta: { maliciousness },
  created_at: NOW,
  last_updated_at: NOW,
  sources: [],
  link_type: null,
})

const relationship = (
  data: ShippedRelationship['data'],
  types: [string, string],
  meta: Fields = {},
): ShippedRelationship => ({
  id: UUID,
  data,
  source_type: types[0],
  target_type: types[1],
  meta,
  sources: [],
  created_at: NOW,
  last_updated_at: NOW,
  created: NOW,
  modified: NOW,
})

const entity = (type: string, fields: Fields = {}, more: Partial<ShippedEntity> = {}): ShippedEntity =>
  shippedEntity({ ...more, data: { id: `{https://corvus.example/}${type}-${UUID}`, type, title: 'Title', ...fields } })

/** An entity as it may be stored: plain JSON, without objects kept for other formats. */
const plain = (shipped: ShippedEntity): ShippedEntity => ({
  ...shipped,
  data: JSON.parse(JSON.stringify(shipped.data)),
})

function assertSame(found: FoundEntity | undefined, { data, meta, observables }: ShippedEntity): void {
  assert.deepEqual(JSON.parse(JSON.stringify(found?.data)), data)
  const named = (list: readonly { type: string; value: string }[], level: (one: never) => unknown) =>
    new Map(list.map((one) => [`${one.type} ${one.value}`, level(one as never) ?? 'unknown']))
  assert.deepEqual(
    named(found?.observables ?? [], (one: { maliciousness?: string }) => one.maliciousness),
    named(observables, (one: { meta: Fields }) => one.meta.maliciousness),
  )
  assert.deepEqual(found?.meta?.tags ?? [], meta.tags ?? [])
  for (const name of ['estimated_threat_start_time', 'estimated_threat_end_time', 'estimated_observed_time']) {
    const [one, other] = [found?.meta?.[name], meta[name]]
    assert.ok(!isLater(one, other) && !isLater(other, one), `${name}: ${String(one)} and ${String(other)}`)
  }
}

test('an entity of any type that did not come from STIX survives a round trip', async () => {
  await fc.assert(
    fc.asyncProperty(anyShippedEntity.map(plain), async (shipped) => {
      const { text } = await objectsOf([shipped])
      const findings = await findingsOf(text)
      assert.equal(findings.length, 1)
      const [finding] = findings
      assert.ok(finding?.kind === 'entity')
      assertSame(finding.entity, shipped)
      assert.deepEqual(finding.entity.kept, [])
    }),
    { numRuns: 150 },
  )
})

test('a withdrawal is exported as a revoked version, and every later version is newer', async () => {
  const times = { created: '2020-01-01T00:00:00.000Z', modified: '2020-01-01T00:00:00.000Z' }
  const given = entity('malware', times, { last_updated_at: '2024-03-01T00:00:00.000000+00:00' })
  const written = async (is_withdrawn: boolean, was_withdrawn: boolean) => {
    const { of } = await objectsOf([{ ...given, was_withdrawn, meta: { ...given.meta, is_withdrawn } }])
    return of('malware').map(({ modified, revoked = false }) => [modified, revoked])[0]
  }
  assert.deepEqual(await written(false, false), [times.modified, false])
  assert.deepEqual(await written(true, true), ['2024-03-01T00:00:00.000Z', true])
  assert.deepEqual(await written(false, true), ['2024-03-01T00:00:00.000Z', false])
})

test('the export of entities that did not come from STIX is valid', { skip: isWithoutValidator }, async () => {
  const written: string[] = []
  for (const shipped of fc.sample(anyShippedEntity.map(plain), 150)) written.push((await objectsOf([shipped])).text)
  await assertValid(written)
})

test('an entity is exported with the closest STIX type and a stable id', async () => {
  const types: [ShippedEntity, string][] = [
    [entity('exploit-target'), 'vulnerability'],
    [entity('ttp'), 'attack-pattern'],
    [entity('ttp', { behavior: { malware_instances: [{}] } }), 'malware'],
    [entity('custom-entity', { custom_entity_type: 'Our Asset' }), 'x-our-asset'],
    [entity('vendor-sighting', { sighting_of_ref: `malware--${UUID}` }), 'sighting'],
    [entity('vendor-sighting'), 'observed-data'],
  ]
  for (const [shipped, type] of types) {
    const [object] = (await objectsOf([shipped])).of(type)
    assert.match(String(object?.id), new RegExp(`^${type}--[0-9a-f-]{36}$`))
    assert.equal((await objectsOf([shipped])).of(type)[0]?.id, object?.id)
  }
})

test('observables that no other object names become cyber observables with the ids of the specification', async () => {
  const observables = [observable('ipv4', '198.51.100.3', 'high'), observable('jarm', 'a'.repeat(62))]
  const { of } = await objectsOf([entity('malware', {}, { observables })])
  assert.equal(of('ipv4-addr')[0]?.id, 'ipv4-addr--28bb3599-77cd-5a82-a950-b5bc3caf07c4')
  assert.deepEqual(
    of('x-corvus-observable').map(({ observable_type, value }) => [observable_type, value]),
    [['jarm', 'a'.repeat(62)]],
  )
  const [malware] = of('malware')
  assert.deepEqual(
    of('relationship').map(({ source_ref, relationship_type, target_ref }) => [
      source_ref,
      relationship_type,
      target_ref,
    ]),
    [
      [malware?.id, 'related-to', of('ipv4-addr')[0]?.id],
      [malware?.id, 'related-to', of('x-corvus-observable')[0]?.id],
    ],
  )
  const report = (await objectsOf([entity('report', {}, { observables })])).of('report')[0]
  assert.deepEqual(report?.object_refs, [of('ipv4-addr')[0]?.id, of('x-corvus-observable')[0]?.id])
})

test('an indicator without a pattern gets one made of its observables', async () => {
  const { of } = await objectsOf([entity('indicator', {}, { observables: [observable('domain', 'a.example')] })])
  assert.equal(of('indicator')[0]?.pattern, "[domain-name:value = 'a.example']")
  assert.deepEqual(of('domain-name'), [])
})

test('TLP colours, tags and confidence are exported', async () => {
  const meta = { tlp_color: 'AMBER', tags: ['a', 'b'] } as const
  const { of, objects } = await objectsOf([
    entity('campaign', { confidence: 'medium' }, { meta: { ...entity('x').meta, ...meta } }),
  ])
  const [campaign] = of('campaign')
  assert.deepEqual([campaign?.confidence, campaign?.labels], [50, ['a', 'b']])
  assert.deepEqual(campaign?.object_marking_refs, ['marking-definition--f88d31f6-486f-44da-b317-01333bde0b82'])
  assert.equal(objects.filter(({ id }) => id === 'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82').length, 1)
})

test('values changed since the import are exported in their current form, all others in the original one', async () => {
  const sent = {
    type: 'malware',
    spec_version: '2.1',
    id: `malware--${UUID}`,
    created: '2024-01-29T07:42:07.000Z',
    modified: '2024-01-29T07:42:07.000Z',
    name: 'Old',
    is_family: true,
    confidence: 75,
    labels: ['a', 'a'],
    object_marking_refs: ['marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003'],
  }
  const [finding] = await findingsOf(JSON.stringify(sent))
  assert.ok(finding?.kind === 'entity')
  const { data, meta } = finding.entity
  const changed = async (fields: Fields, more: Fields) => {
    const edited = { ...finding, entity: { data: { ...data, ...fields }, meta: { ...meta, ...more } } }
    const { extensions: _, ...object } = (await exportOf([edited])).objects.find(({ type }) => type === 'malware') ?? {}
    return object
  }
  assert.deepEqual(await changed({}, {}), sent)
  assert.deepEqual(await changed({ title: 'New' }, {}), { ...sent, name: 'New' })
  assert.deepEqual(await changed({ confidence: 'low' }, {}), { ...sent, confidence: 15 })
  assert.deepEqual(await changed({}, { tags: ['a', 'b'] }), { ...sent, labels: ['a', 'b'] })
  const white = ['marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9']
  assert.deepEqual(await changed({}, { tlp_color: 'WHITE' }), { ...sent, object_marking_refs: white })
})

test('a platform relationship becomes a STIX relationship and survives a round trip', async () => {
  const ends = [entity('ttp', { behavior: { malware_instances: [{}] } }), entity('threat-actor')]
  const data = {
    source: ends[1]?.data.id ?? '',
    target: ends[0]?.data.id ?? '',
    key: '',
    subtype: 'stix_update_of',
    description: 'd',
  }
  const { of, text } = await objectsOf(ends, [relationship(data, ['threat-actor', 'ttp'], { tlp_color: 'RED' })])
  const [object] = of('relationship')
  assert.deepEqual(
    [object?.source_ref, object?.relationship_type, object?.target_ref],
    [of('threat-actor')[0]?.id, 'related-to', of('malware')[0]?.id],
  )
  const found = (await findingsOf(text)).flatMap((finding) =>
    finding.kind === 'relationship' ? [finding.relationship] : [],
  )
  const origin = { created: '2024-01-29T07:42:07.059329Z', modified: '2024-01-29T07:42:07.059329Z' }
  assert.deepEqual(found, [{ id: UUID, data, meta: { tlp_color: 'RED' }, origin }])
})

test('a relationship that represents a reference is written only if the reference is gone', async () => {
  const report = entity('report', { id: `report--${UUID}`, object_refs: [`tool--${UUID}`] })
  const tool = entity('tool', { id: `tool--${UUID}` })
  const to = (target: string) =>
    relationship({ source: report.data.id, target, key: 'contains', stix_property: 'object_refs' }, ['report', 'tool'])
  assert.deepEqual((await objectsOf([report, tool], [to(tool.data.id)])).of('relationship'), [])
  assert.equal(
    (await objectsOf([report, tool], [to('tool--5e814485-012d-423d-b769-026bfed0f451')])).of('relationship').length,
    1,
  )
})

test('data that STIX cannot express is reported', async () => {
  const shipped = entity(
    'malware',
    {},
    { attachments: [shippedAttachment('a.txt', Buffer.from('a'))], taxonomy_paths: [['a']] },
  )
  const sighting = entity('vendor-sighting', { id: `sighting--${UUID}`, sighting_of_ref: `malware--${UUID}` })
  const data = { source: sighting.data.id, target: shipped.data.id, key: 'uses' }
  const { losses } = await objectsOf([shipped, sighting], [relationship(data, ['vendor-sighting', 'malware'])])
  assert.deepEqual(
    losses.map((loss) => loss.replace(/^.*?: /, '').slice(0, 40)),
    [
      '1 attachments: not supported by STIX',
      'taxonomies: not supported by STIX',
      'STIX does not allow relationships with a',
    ],
  )
})

test('an empty shipment gives an empty bundle', async () => {
  const { text, objects } = await objectsOf([])
  assert.deepEqual(objects, [])
  assert.match(text, /^\{"type":"bundle","id":"bundle--[0-9a-f-]{36}","objects":\[\]\}\n$/)
})

test('neither placeholders nor objects kept for other formats are written', async () => {
  const placeholder = entity('malware', { id: `malware--${UUID}` })
  const unresolved = { ...placeholder, meta: { ...placeholder.meta, is_unresolved_idref: true } }
  const kept = [{ id: 'stix1', object: { type: 'x' } }]
  const { objects } = await objectsOf([
    unresolved,
    entity('tool', { id: `tool--${UUID}`, created: NOW, modified: NOW }, { kept }),
  ])
  assert.deepEqual(
    objects.map(({ type }) => type).filter((type) => type !== 'identity' && type !== 'extension-definition'),
    ['tool'],
  )
  assert.ok(EXTENSION_ID.startsWith('extension-definition--'))
})

const RED = 'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed'

test('objects written for the observables of an entity have the marking of the entity', async () => {
  const { of } = await objectsOf([
    entity('malware', {}, { observables: [observable('domain', 'bad.example')], meta: { tlp_color: 'RED' } }),
  ])
  assert.deepEqual(of('malware')[0]?.object_marking_refs, [RED])
  assert.deepEqual(of('relationship')[0]?.object_marking_refs, [RED])
})

test('an object reduced to valid STIX keeps its marking', async () => {
  const { of } = await objectsOf([
    entity('vendor-sighting', { id: `sighting--${UUID}`, sighting_of_ref: 'nonsense' }, { meta: { tlp_color: 'RED' } }),
  ])
  assert.deepEqual(of('sighting')[0]?.object_marking_refs, [RED])
})
