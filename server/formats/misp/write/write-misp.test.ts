import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { filesInZip } from '../../../../test/set-up/archives.ts'
import { shipmentOf, shippedAttachment, shippedEntity, writtenBy } from '../../../../test/shipments.ts'
import { EXAMPLES } from '../../../domain/observables/examples.ts'
import { OBSERVABLE_TYPES } from '../../../domain/observables/types.ts'
import { documentOf } from '../../document.ts'
import { recognise } from '../../recognise.ts'
import type { ShippedEntity, ShippedObservable, ShippedRelationship } from '../../shipment.ts'
import { readMisp } from '../read-misp.ts'
import { writeMisp, writeMispFeed } from './write-misp.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const observable = (type: string, value: string, maliciousness = 'high', id = 1): ShippedObservable => ({
  id,
  type,
  value,
  meta: { maliciousness },
  created_at: '2023-06-20T18:06:09.304097+00:00',
  last_updated_at: '2023-06-20T18:06:09.304097+00:00',
  sources: [],
  link_type: null,
})

const entity = (type: string, n: number, title: string, more: Partial<ShippedEntity> = {}): ShippedEntity =>
  shippedEntity({ id: uuid(n), ...more, data: { id: `${type}--${uuid(n)}`, type, title, ...more.data } })

const relationship = (source: ShippedEntity, target: ShippedEntity, key = 'related-to'): ShippedRelationship => ({
  id: uuid(900),
  data: { source: source.data.id, target: target.data.id, key },
  source_type: source.data.type,
  target_type: target.data.type,
  meta: {},
  sources: [],
  created_at: source.created_at,
  last_updated_at: source.last_updated_at,
  created: source.created_at,
  modified: source.last_updated_at,
})

const report = entity('report', 1, 'Phishing of bakeries', {
  data: {
    id: `report--${uuid(1)}`,
    type: 'report',
    title: 'Phishing of bakeries',
    description: 'Recipes were **stolen**.',
    confidence: 'medium',
    external_references: [{ source_name: 'blog', url: 'https://blog.example/bakeries' }],
    object_refs: [`indicator--${uuid(2)}`],
  },
  meta: { tags: ['bread'], tlp_color: 'AMBER', source_reliability: 'B' },
  observables: [observable('domain', 'crumbs.example')],
  attachments: [shippedAttachment('report.pdf', Buffer.from('PDF'))],
})
const indicator = entity('indicator', 2, 'Oven server', { observables: [observable('ipv4', '192.0.2.7', 'low')] })
const actor = entity('threat-actor', 3, 'Velvet Heron', {
  data: { id: `threat-actor--${uuid(3)}`, type: 'threat-actor', title: 'Velvet Heron', aliases: ['HERON-7'] },
})
const loose = entity('indicator', 4, 'Alone', { observables: [observable('city', 'Basel', 'unknown')] })
const shipment = shipmentOf([report, indicator, actor, loose], [relationship(report, actor, 'attributed-to')])

test('a report becomes an event with its own attributes, those of its indicators, and its actors as galaxies', async () => {
  const { bytes } = await writtenBy(writeMisp, shipment)
  assert.equal(await recognise(documentOf(bytes)), 'misp')
  const { response } = JSON.parse(bytes.toString())
  assert.deepEqual(
    response.map(({ Event }: { Event: { info: string } }) => Event.info),
    ['Alone', 'Phishing of bakeries'],
  )
  const { Event } = response[1]
  assert.partialDeepStrictEqual(Event, {
    uuid: uuid(1),
    date: '2022-05-11',
    threat_level_id: '1',
    published: true,
    Orgc: { name: 'Corvus' },
    Tag: [
      { name: 'tlp:amber' },
      { name: 'admiralty-scale:source-reliability="b"' },
      { name: 'estimative-language:confidence-in-analytic-judgment="moderate"' },
      { name: 'bread' },
      { name: 'misp-galaxy:threat-actor="Velvet Heron"' },
    ],
    Galaxy: [
      {
        type: 'threat-actor',
        GalaxyCluster: [{ uuid: uuid(3), value: 'Velvet Heron', meta: { synonyms: ['HERON-7'] } }],
      },
    ],
    EventReport: [{ name: 'Description', content: 'Recipes were **stolen**.' }],
  })
  assert.deepEqual(
    Event.Attribute.map(({ type, category, value, to_ids, comment = '' }: Record<string, unknown>) =>
      [type, category, value, to_ids, comment].join(', '),
    ),
    [
      'domain, Network activity, crumbs.example, true, ',
      'ip-dst, Network activity, 192.0.2.7, true, Oven server',
      'link, External analysis, https://blog.example/bakeries, false, blog',
      'attachment, External analysis, report.pdf, false, ',
    ],
  )
})

test('a report survives a round trip with its observables and their levels, its description and its actor', async () => {
  const { bytes } = await writtenBy(writeMisp, shipment)
  const findings = await Array.fromAsync(readMisp(documentOf(bytes)))
  const entities = findings.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))
  const found = entities.find(({ data }) => data.id === report.data.id)
  assert.partialDeepStrictEqual(found?.data, { title: report.data.title, description: 'Recipes were **stolen**.' })
  assert.partialDeepStrictEqual(found?.meta, { tlp_color: 'AMBER' })
  assert.deepEqual(found?.observables?.slice(0, 2), [
    { type: 'domain', value: 'crumbs.example', maliciousness: 'high' },
    { type: 'ipv4', value: '192.0.2.7', maliciousness: 'low' },
  ])
  assert.deepEqual(found?.attachments, [{ filename: 'report.pdf', bytes: Buffer.from('PDF') }])
  assert.ok(entities.some(({ data }) => data.id === actor.data.id))
  const alone = entities.find(({ data }) => data.title === 'Alone')
  assert.deepEqual(alone?.observables, [{ type: 'city', value: 'Basel', maliciousness: 'unknown' }])
  assert.ok(!entities.some(({ data }) => data.type === 'note'))
})

test('observables of every type survive a round trip', async () => {
  const all = OBSERVABLE_TYPES.flatMap((type) => EXAMPLES[type].good.map(([, value]) => observable(type, value)))
  const { bytes } = await writtenBy(writeMisp, shipmentOf([entity('indicator', 5, 'All', { observables: all })]))
  const findings = await Array.fromAsync(readMisp(documentOf(bytes)))
  const [found] = findings.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))
  const named = (list: readonly { type: string; value: string }[] = []) =>
    [...new Set(list.map(({ type, value }) => `${type} ${value}`))].sort()
  assert.deepEqual(named(found?.observables), named(all))
  assert.deepEqual(
    findings.flatMap((finding) => finding.losses ?? []),
    [],
  )
})

test('the same shipment gives the same document, so that feeds detect changes', async () => {
  const [one, two] = [await writtenBy(writeMisp, shipment), await writtenBy(writeMisp, shipment)]
  assert.ok(one.bytes.equals(two.bytes))
})

test('data that an event cannot hold is reported with the id of its entity', async () => {
  const classified = entity('report', 6, 'Classified', {
    meta: { attacks: ['TA0001:T1566', 'TA0001', 'T9999'] },
    taxonomy_paths: [['Sectors', 'Food']],
    attachments: [{ ...shippedAttachment('huge.bin', Buffer.from('x')), size: 17 * 1024 * 1024 }],
  })
  const { losses } = await writtenBy(writeMisp, shipmentOf([classified]))
  assert.deepEqual(
    losses.map((loss) => loss.replace(`${classified.data.id}: `, '')).sort(),
    [
      "attachment 'huge.bin' is too large for a MISP event",
      'attack nodes that are not known techniques: TA0001, T9999',
      'taxonomies: not supported by MISP events',
    ].sort(),
  )
})

test('classifications of entities in the event of another are reported, unless its cluster names them', async () => {
  const parts = [
    entity('indicator', 2, 'Tactic', { meta: { attacks: ['TA0001'] } }),
    entity('attack-pattern', 7, 'Named', { meta: { attacks: ['TA0001:T1566'] } }),
    entity('attack-pattern', 8, 'Unknown', { meta: { attacks: ['T9999'] } }),
  ]
  const relations = parts.map((part) => relationship(report, part))
  const { losses } = await writtenBy(writeMisp, shipmentOf([report, ...parts], relations))
  assert.deepEqual(
    losses.filter((loss) => loss.includes('ATT&CK')).map((loss) => loss.split(':')[0]),
    [parts[0]?.data.id, parts[2]?.data.id],
  )
})

test('a feed is a folder with one file per event, a manifest and the hashes of all values', async () => {
  const files = await filesInZip((await writtenBy(writeMispFeed, shipment)).bytes)
  const manifest = JSON.parse(files.get('manifest.json') ?? '')
  const uuids = Object.keys(manifest)
  assert.deepEqual([...files.keys()].sort(), [...uuids.map((id) => `${id}.json`), 'manifest.json', 'hashes.csv'].sort())
  assert.partialDeepStrictEqual(manifest[uuid(1)], {
    info: 'Phishing of bakeries',
    analysis: '2',
    threat_level_id: '1',
    date: '2022-05-11',
    Orgc: { name: 'Corvus' },
  })
  for (const id of uuids) assert.equal(JSON.parse(files.get(`${id}.json`) ?? '').Event.uuid, id)
  const hash = createHash('md5').update('crumbs.example').digest('hex')
  assert.ok(
    files
      .get('hashes.csv')
      ?.split('\n')
      .includes(`${hash},${uuid(1)}`),
  )
})

test('an empty shipment is an empty document and an empty feed', async () => {
  assert.deepEqual(JSON.parse((await writtenBy(writeMisp, shipmentOf([]))).bytes.toString()), { response: [] })
  const files = await filesInZip((await writtenBy(writeMispFeed, shipmentOf([]))).bytes)
  assert.deepEqual(
    [...files],
    [
      ['manifest.json', '{}\n'],
      ['hashes.csv', ''],
    ],
  )
})
