import fc from 'fast-check'
import type { KeptObject } from '../server/formats/finding.ts'
import type { ShippedEntity, ShippedRelationship } from '../server/formats/shipment.ts'
import { entityTypes } from '../server/intelligence/entities/entity-data.ts'
import { anyJson } from './any-json.ts'
import { shippedEntity } from './shipments.ts'

type Fields = Record<string, unknown>

const UUIDS = [
  '4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a11',
  // UUIDs of versions that STIX does not know, and one without a version.
  '01940b4e-7c1a-7d3e-8f50-112233445566',
  'dd955e08-16d0-4f08-5064-50d9e7a3104d',
  '00000000-0000-0000-0000-000000000000',
]

const PROPERTIES =
  `abstract action aliases analysis_ended analysis_sco_refs analysis_started authors capabilities confidence content context
  count country created created_by_ref description extensions external_references first_observed first_seen goals
  granular_markings identity_class is_family kill_chain_phases labels lang last_observed last_seen latitude longitude
  malware_types modified name number_observed object_marking_refs object_refs objects observed_data_refs opinion pattern
  pattern_type pattern_version phone_numbers precision product published region result revoked sample_refs severity
  sighting_of_ref start_time stop_time summary username valid_from valid_until where_sighted_refs x_bin x_hex x_own
  short_description timestamp X-Bad é`.split(/\s+/)

const CYBER =
  `artifact autonomous-system directory domain-name email-addr email-message file ipv4-addr ipv6-addr mac-addr mutex
  network-traffic process software url user-account windows-registry-key x509-certificate x-own-observable
  marking-definition language-content extension-definition`.split(/\s+/)

const CYBER_PROPERTIES =
  `account_login body body_multipart command_line contains_refs contents cpe created created_by_ref definition
  definition_type dst_port dst_ref end extension_types extensions granular_markings hashes is_active is_multipart issuer key
  mime_type modified name number object_marking_refs object_ref path payload_bin pid protocols resolves_to_refs schema
  spec_version src_ref start subject url user_id value values version x_bin x_hex x_own`.split(/\s+/)

const TEXTS = [
  '',
  ' ',
  'word',
  'not a url',
  'http://a.example/ü?q=|',
  'http://a.example/%zz',
  'https://a.example/path?q=1',
  '198.51.100.256',
  '198.51.100.7',
  'a@b',
  'a@b.example',
  'CVE-99',
  'CVE-2024-12345',
  'cve',
  'd41d8cd98f00b204e9800998ecf8427e',
  'zz',
  '2024-02-31T00:00:00Z',
  '2024-01-01T00:00:00.000Z',
  '2023-01-01T00:00:00.000Z',
  '2024-01-01T23:59:60Z',
  '0000-01-01T00:00:00.000Z',
  'yesterday',
  "[domain-name:value = 'a.example']",
  "[domain-name:value = 'a.example'",
  '[]',
  "[file:hashes.MD5 = 'abc']",
  'stix',
  'yara',
  'agree',
  'perhaps',
  'it\'s \\ "quoted"',
]

const id = fc
  .tuple(
    fc.constantFrom(
      'malware',
      'identity',
      'marking-definition',
      'file',
      'relationship',
      'sighting',
      'x-own',
      'Bad_Type',
      'bundle',
    ),
    fc.constantFrom(...UUIDS),
  )
  .map(([type, uuid]) => `${type}--${uuid}`)

const reference = fc.record(
  {
    source_name: fc.constantFrom('cve', 'capec', 'own', 7),
    external_id: fc.constantFrom(...TEXTS),
    url: fc.constantFrom(...TEXTS),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const extension = fc.dictionary(
  fc.constantFrom(
    'pdf-ext',
    'Bad',
    'own-ext',
    `extension-definition--${UUIDS[0]}`,
    `extension-definition--${UUIDS[1]}`,
  ),
  fc.oneof(
    fc.constant({ extension_type: 'property-extension', rank: 1 }),
    fc.constant({ version: 7 }),
    fc.constant({}),
    anyJson(1),
  ),
  { noNullPrototype: true },
)

const hashes = fc.dictionary(fc.constantFrom('MD5', 'SHA-256', 'SSDEEP', 'own', 'x'), fc.constantFrom(...TEXTS), {
  noNullPrototype: true,
})

const marking = fc.record(
  {
    selectors: fc.array(fc.constantFrom('name', 'id', 'labels.[0]', 'nothing', 'BAD'), { maxLength: 2 }),
    marking_ref: id,
  },
  { noNullPrototype: true },
)

const phase = fc.constantFrom(
  { kill_chain_name: 'a', phase_name: 'b' },
  { kill_chain_name: 'mitre-attack', phase_name: { toString: 1 } },
  { kill_chain_name: 1 },
  'a',
)

/** A value of the kind of any STIX property, or any other. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  fc.constantFrom<unknown>(-1, 0, 1, 7.5, 91, 181, 1e21, 2 ** 60, true, false, null, { toString: 1 }),
  id,
  fc.array(fc.oneof(id, fc.constantFrom(...TEXTS)), { maxLength: 3 }),
  fc.array(reference, { maxLength: 3 }),
  fc.array(marking, { maxLength: 2 }),
  fc.array(phase, { maxLength: 2 }),
  extension,
  hashes,
  anyJson(2).filter((json) => !/__proto__|\\u/.test(JSON.stringify(json))),
)

const fieldsOf = (names: readonly string[], maxKeys: number): fc.Arbitrary<Fields> =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys, noNullPrototype: true })

const kept: fc.Arbitrary<KeptObject> = fc
  .tuple(fc.constantFrom(...CYBER), fc.constantFrom(...UUIDS), fieldsOf(CYBER_PROPERTIES, 6))
  .map(([type, uuid, fields]) => ({ id: `${type}--${uuid}`, object: { ...fields, type, id: `${type}--${uuid}` } }))

const stixId = (type: string): fc.Arbitrary<string> =>
  fc
    .constantFrom(...UUIDS)
    .chain((uuid) =>
      fc.constantFrom(
        `${type}--${uuid}`,
        `{https://corvus.example/}${type}-${uuid}`,
        ...(type === 'custom-entity'
          ? [`bundle--${uuid}`, `file--${uuid}`, `x-own--${uuid}`, `Odd_Type--${uuid}`]
          : []),
        ...(type === 'vendor-sighting' ? [`sighting--${uuid}`, `observed-data--${uuid}`] : []),
        ...(type === 'note' ? [`opinion--${uuid}`] : []),
        ...(type === 'report' ? [`grouping--${uuid}`] : []),
      ),
    )

/** Entities as the database may contain them, however they were sent: with data and kept objects of any shape. */
export const hostileEntity: fc.Arbitrary<ShippedEntity> = fc
  .constantFrom(...entityTypes)
  .chain((type) =>
    fc.record({
      data: fieldsOf(PROPERTIES, 12),
      id: stixId(type),
      title: fc.constantFrom('Title', "It's", '\u{1f426}'),
      type: fc.constant(type),
      custom_entity_type: fc.constantFrom('x-own', 'Our Asset', '', '!!', 'bundle'),
      tags: fc.uniqueArray(fc.constantFrom('a', 'b;c', 'ü')),
      tlp_color: fc.constantFrom('RED', 'NONE', null),
      kept: fc.uniqueArray(kept, { maxLength: 4, selector: (each) => each.id }),
    }),
  )
  .map(({ data, id: stix, title, type, custom_entity_type, tags, tlp_color, kept: objects }) =>
    shippedEntity({
      data: { ...data, id: stix, title, type, ...(type === 'custom-entity' && { custom_entity_type }) },
      meta: { tags, tlp_color },
      kept: objects,
    }),
  )

/** Relationships of any shape between two entities. */
export const hostileRelationship: fc.Arbitrary<ShippedRelationship> = fc
  .record({
    id: fc.constantFrom(...UUIDS),
    source: stixId('malware'),
    target: fc.oneof(stixId('identity'), stixId('custom-entity')),
    key: fc.constantFrom('', 'uses', 'a-b'),
    data: fieldsOf(
      ['created', 'modified', 'description', 'start_time', 'stop_time', 'labels', 'x_own', 'confidence'],
      5,
    ),
  })
  .map(({ id: uuid, source, target, key, data }) => ({
    id: uuid,
    data: { ...data, source, target, key },
    source_type: 'malware',
    target_type: target.includes('identity') ? 'identity' : 'custom-entity',
    meta: {},
    sources: [],
    created_at: '2023-06-08T12:00:30.187097+00:00',
    last_updated_at: '2023-06-09T12:00:30.187097+00:00',
    created: '2023-06-08T12:00:30.187097+00:00',
    modified: '2023-06-09T12:00:30.187097+00:00',
  }))
