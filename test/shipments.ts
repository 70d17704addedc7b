import fc from 'fast-check'
import { EXAMPLES } from '../server/domain/observables/examples.ts'
import { OBSERVABLE_TYPES } from '../server/domain/observables/types.ts'
import type { FoundEntity } from '../server/formats/finding.ts'
import { MALICIOUSNESS } from '../server/formats/maliciousness.ts'
import { originIn } from '../server/formats/platform-json/origin-in.ts'
import { sentMeta } from '../server/formats/sent-meta.ts'
import type { Shipment, ShippedEntity, ShippedRelationship, Writer } from '../server/formats/shipment.ts'
import { entityTypes } from '../server/intelligence/entities/entity-data.ts'
import { anyJson } from './any-json.ts'
import { attackVocabulary } from './attack-nodes.ts'

/** A shipment of these items. */
export const shipmentOf = (
  entities: readonly ShippedEntity[],
  relationships: readonly ShippedRelationship[] = [],
): Shipment => ({
  at: '2024-01-29T07:42:07.059329+00:00',
  baseUrl: 'https://corvus.example',
  producer: { namespace: 'https://corvus.example/', alias: 'corvus', name: 'Corvus' },
  attacks: attackVocabulary,
  async *entities(types) {
    yield* entities.filter(({ data }) => !types || types.has(data.type))
  },
  async *relationships() {
    yield* relationships
  },
})

/** The output of a writer for a shipment, and its losses. */
export async function writtenBy(writer: Writer, shipment: Shipment): Promise<{ bytes: Buffer; losses: string[] }> {
  const losses: string[] = []
  const pieces = await Array.fromAsync(writer(shipment, (id, loss) => losses.push(`${id}: ${loss}`)))
  return { bytes: Buffer.concat(pieces.map((piece) => Buffer.from(piece))), losses }
}

const source = {
  id: '9f7c2c0e-3d1c-4a8e-8f57-0d3c3c1a2b4d',
  name: 'Our group; "first"',
  type: 'group',
}

/** A minimal entity to export. */
export const shippedEntity = (given: Partial<ShippedEntity> = {}): ShippedEntity => ({
  id: '5e814485-012d-423d-b769-026bfed0f451',
  taxonomy_paths: [],
  relevancy: 0.684,
  sources: [source],
  created_at: '2023-06-08T12:00:30.187097+00:00',
  last_updated_at: '2023-06-09T12:00:30.187097+00:00',
  created: '2023-06-08T12:00:30.187097+00:00',
  modified: '2023-06-09T12:00:30.187097+00:00',
  observables: [],
  attachments: [],
  kept: [],
  ...given,
  data: {
    id: '{https://corvus.example/}indicator-4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a11',
    type: 'indicator',
    title: 'Command server',
    ...given.data,
  },
  meta: {
    half_life: 30,
    estimated_threat_start_time: '2022-05-11T14:00:00.188000+00:00',
    estimated_threat_end_time: null,
    estimated_observed_time: '2019-07-09T17:42:44.777000+00:00',
    tags: [],
    attacks: [],
    tlp_color: null,
    ...given.meta,
    taxonomies: (given.taxonomy_paths ?? []).map((_, i) => i + 1),
    title: 'Command server',
    first_ingest_time: '2023-06-08T12:00:30.187097+00:00',
    ingest_time: '2023-06-09T12:00:30.187097+00:00',
    is_outdated_version: false,
    is_unresolved_idref: false,
    is_withdrawn: false,
    is_unified_entity: false,
    is_contributor_to: null,
    is_exempt_from_consolidation: false,
  },
})

/** An attachment with these bytes. */
export const shippedAttachment = (filename: string, bytes: Buffer): ShippedEntity['attachments'][number] => ({
  id: 'c0a8012e-7d3f-4b7e-9f30-1f2d3c4b5a69',
  filename,
  size: bytes.length,
  content_type: 'application/octet-stream',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  meta: {},
  async *open() {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
  },
})

/** The entity that a reader must return for one that was written. */
export async function asFound(entity: ShippedEntity): Promise<FoundEntity> {
  const attachments = entity.attachments.map(async ({ filename, open }) => ({
    filename,
    bytes: Buffer.concat(await Array.fromAsync(open())),
  }))
  return {
    data: entity.data,
    meta: sentMeta(entity),
    observables: entity.observables.map(({ type, value, meta, link_type }) => ({
      type,
      value,
      maliciousness: meta.maliciousness as 'safe',
      ...(link_type === null ? {} : { link_type }),
    })),
    attachments: await Promise.all(attachments),
    kept: entity.kept,
    ...originIn({ created: entity.created, modified: entity.modified }, entity.data),
  }
}

const tricky = fc.constantFrom(...'aB1;:,\\"\'=+-@ \t\r\n/ü\u{1f426}')
const anyText = fc
  .oneof(fc.string({ unit: tricky }), fc.string({ unit: 'grapheme' }))
  .filter((text) => !text.includes('\0'))
const anyWord = anyText.map((text) => text.trim()).filter((text) => text !== '')
const anyValue = anyJson(3).filter((value) => !/__proto__|\\u/.test(JSON.stringify(value)))
const anyTime = fc
  .date({ min: new Date('1980-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().replace('Z', '000+00:00'))
const anyBytes = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))

const anyObservable = fc
  .record({
    id: fc.integer({ min: 1 }),
    named: fc
      .constantFrom(...OBSERVABLE_TYPES)
      .chain((type) => fc.constantFrom(...EXAMPLES[type].good.map(([, value]) => ({ type, value })))),
    level: fc.constantFrom(...MALICIOUSNESS),
    link_type: fc.option(anyWord),
  })
  .map(({ level, named, ...rest }) => ({
    ...rest,
    ...named,
    meta: { maliciousness: level },
    created_at: '2023-06-08T12:00:30.187097+00:00',
    last_updated_at: '2023-06-20T18:06:09.304097+00:00',
    sources: [source],
  }))

const anyData = fc.record(
  {
    description: anyText,
    short_description: anyText,
    confidence: fc.constantFrom('low', 'high', { type: 'confidence', value: 'High' }),
    timestamp: fc.option(anyTime),
    external_references: fc.array(fc.record({ source_name: anyText, url: anyText }, { noNullPrototype: true }), {
      maxLength: 2,
    }),
    x_custom: anyValue,
  },
  { requiredKeys: [] },
)

const anyMeta = fc.record(
  {
    alias: anyText,
    half_life: fc.integer({ min: 1, max: 10_000_000 }),
    source_reliability: fc.option(fc.constantFrom('A', 'F')),
    tags: fc.uniqueArray(anyWord, { maxLength: 4 }),
    attacks: fc.uniqueArray(fc.constantFrom('TA0001', 'TA0001:T1566', 'enterprise-attack')),
    tlp_color: fc.option(fc.constantFrom('NONE', 'WHITE', 'RED')),
    estimated_threat_end_time: fc.option(anyTime),
    x_custom: anyValue,
  },
  { requiredKeys: [] },
)

/** Any entity that the server may have stored, of every type. */
export const anyShippedEntity: fc.Arbitrary<ShippedEntity> = fc
  .record({
    id: fc.uuid(),
    type: fc.constantFrom(...entityTypes),
    title: anyWord,
    data: anyData,
    meta: anyMeta,
    paths: fc.uniqueArray(fc.array(fc.constantFrom('a', 'b;c', 'ü'), { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
    observables: fc.uniqueArray(anyObservable, { maxLength: 4, selector: ({ type, value }) => `${type} ${value}` }),
    attachments: fc.array(fc.tuple(anyWord, anyBytes), { maxLength: 2 }),
    kept: fc.uniqueArray(
      fc.record(
        { id: anyWord, object: fc.record({ type: anyText, x: anyValue }, { noNullPrototype: true }) },
        { noNullPrototype: true },
      ),
      {
        maxLength: 2,
        selector: ({ id }) => id,
      },
    ),
  })
  .map(({ id, type, title, data, meta, paths, attachments, ...rest }) =>
    shippedEntity({
      id,
      data: { ...data, id: `{https://corvus.example/}${type}-${id}`, type, title },
      meta,
      taxonomy_paths: paths,
      attachments: attachments.map(([name, bytes]) => shippedAttachment(name, bytes)),
      ...rest,
    }),
  )

/** Any relationship that the server may have stored, between two STIX ids. */
export const anyShippedRelationship: fc.Arbitrary<ShippedRelationship> = fc
  .record({
    id: fc.uuid(),
    source: anyWord,
    target: anyWord,
    key: fc.constantFrom('', 'uses', 'related-ttps'),
    more: fc.record(
      {
        description: anyText,
        subtype: fc.constant('stix_update_of'),
        title: anyText,
        type: anyText,
        source_type: anyText,
        x_custom: anyValue,
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    meta: fc.record(
      { tlp_color: fc.option(fc.constantFrom('RED', 'NONE')), x: anyValue },
      { requiredKeys: [], noNullPrototype: true },
    ),
  })
  .map(({ id, more, meta, ...ends }) => ({
    id,
    data: { ...more, ...ends },
    meta,
    source_type: 'indicator',
    target_type: 'vendor-sighting',
    sources: [source],
    created_at: '2023-06-08T12:00:30.187097+00:00',
    last_updated_at: '2023-06-09T12:00:30.187097+00:00',
    created: '2023-06-08T12:00:30.187097+00:00',
    modified: '2023-06-09T12:00:30.187097+00:00',
  }))
