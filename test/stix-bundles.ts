import fc from 'fast-check'
import { anyJson } from './any-json.ts'

type Fields = Record<string, unknown>
type Objects = fc.Arbitrary<Fields>

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((one) => !one.includes('\0'))
const word = fc.constantFrom('alpha', 'Beta', ' gamma ', "o'neill", 'δ', 'x y', 'TLP:RED')
const words = fc.array(word, { minLength: 1, maxLength: 3 })
const time = fc
  .tuple(fc.integer({ min: 0, max: 4e9 }), fc.constantFrom('', '.0', '.5', '.120', '.123456', '.123456789', '.000'))
  .map(([second, fraction]) => `${new Date(second * 1000).toISOString().slice(0, 19)}${fraction}Z`)
const stamp = time.map((one) => (/\.\d{3}/.test(one) ? one : `${one.slice(0, 19)}.000Z`))
const json = anyJson(2).filter((value) => value !== null && !/__proto__|\\u|^\[\]$/.test(JSON.stringify(value)))
const optional = (fields: Record<string, fc.Arbitrary<unknown>>): Objects =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as Objects
const required = (fields: Record<string, fc.Arbitrary<unknown>>): Objects =>
  fc.record(fields, { noNullPrototype: true }) as Objects

const TLP = [
  'marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9',
  'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82',
  'marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003',
]

/** A few ids of each type, so that objects refer to each other. Some are in the bundle, some are not. */
const idOf = (type: string): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: 3 }).map((n) => `${type}--4f0d2b1e-0f4b-4c39-9d4b-00000000000${n}`)

const DOMAIN =
  `attack-pattern campaign course-of-action grouping identity incident indicator infrastructure intrusion-set location
  malware malware-analysis note observed-data opinion report threat-actor tool vulnerability x-own-thing`.split(/\s+/)
const CYBER =
  `artifact autonomous-system directory domain-name email-addr email-message file ipv4-addr ipv6-addr mac-addr mutex
  network-traffic process software url user-account windows-registry-key x509-certificate x-own-observable`.split(/\s+/)

const anyOf = (types: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...types).chain(idOf)
const refs = (types: readonly string[]) => fc.uniqueArray(anyOf(types), { minLength: 1, maxLength: 4 })
const markings = fc.uniqueArray(fc.oneof(fc.constantFrom(...TLP), idOf('marking-definition')), {
  minLength: 1,
  maxLength: 2,
})

const custom = optional({
  x_own: json,
  x_list: fc.array(json, { minLength: 1, maxLength: 2 }),
  // Properties whose names mean something else in the platform.
  status: json,
  title: json,
  names: json,
  timestamp: json,
  handling: json,
  stix: json,
  extracts: json,
})

const common = optional({
  created_by_ref: idOf('identity'),
  revoked: fc.boolean(),
  labels: words,
  confidence: fc.integer({ min: 0, max: 100 }),
  lang: fc.constantFrom('en', 'de'),
  external_references: fc.array(required({ source_name: word, external_id: word }), { minLength: 1, maxLength: 2 }),
  object_marking_refs: markings,
  granular_markings: fc.tuple(
    required({ marking_ref: idOf('marking-definition'), selectors: fc.constant(['created']) }),
  ),
  extensions: required({
    'extension-definition--4f0d2b1e-0f4b-4c39-9d4b-000000000001': required({
      extension_type: fc.constant('property-extension'),
      rank: json,
    }),
  }),
})

const named = required({ name: fc.oneof(text, word) })
const seen = optional({ first_seen: time, last_seen: time, aliases: words, description: text })
const phases = optional({
  kill_chain_phases: fc.tuple(required({ kill_chain_name: word, phase_name: word })),
  description: text,
})

/** The properties of each type of object. */
const OWN: Record<string, Objects[]> = {
  'attack-pattern': [named, phases],
  campaign: [named, seen, optional({ objective: text })],
  'course-of-action': [named],
  grouping: [optional({ name: word }), required({ context: word, object_refs: refs([...DOMAIN, ...CYBER]) })],
  identity: [named, optional({ identity_class: word, sectors: words, roles: words })],
  incident: [named],
  indicator: [
    optional({ name: word, valid_until: time, indicator_types: words }),
    phases,
    fc.oneof(
      required({
        pattern: fc.constantFrom("[domain-name:value = 'A.example']", "[ file:name='it\\'s' ]"),
        pattern_type: fc.constant('stix'),
        valid_from: time,
      }),
      required({
        pattern: fc.constantFrom('not a pattern of STIX', ''),
        pattern_type: fc.constantFrom('yara', 'own'),
        valid_from: time,
      }),
    ),
  ],
  infrastructure: [named, seen, phases, optional({ infrastructure_types: words })],
  'intrusion-set': [named, seen, optional({ goals: words, primary_motivation: word, secondary_motivations: words })],
  location: [
    optional({ name: word, city: word }),
    required({ country: word, latitude: fc.integer({ min: -90, max: 90 }), longitude: fc.constant(7.25) }),
  ],
  malware: [
    named,
    seen,
    phases,
    required({ is_family: fc.boolean() }),
    optional({ sample_refs: refs(['file']), operating_system_refs: refs(['software']) }),
  ],
  'malware-analysis': [
    required({ product: word, result: word }),
    optional({ analysis_sco_refs: refs(CYBER), sample_ref: idOf('file') }),
  ],
  note: [required({ content: text, object_refs: refs(DOMAIN) }), optional({ abstract: text, authors: words })],
  'observed-data': [
    required({
      first_observed: time,
      last_observed: time,
      number_observed: fc.constantFrom(1, 50),
      object_refs: refs(CYBER),
    }),
  ],
  opinion: [
    required({ opinion: fc.constantFrom('agree', 'neutral'), object_refs: refs(DOMAIN) }),
    optional({ explanation: text }),
  ],
  report: [named, required({ published: time, object_refs: refs([...DOMAIN, ...CYBER, 'relationship', 'sighting']) })],
  sighting: [
    required({ sighting_of_ref: anyOf(['malware', 'indicator', 'x-own-thing']) }),
    optional({
      count: fc.nat(9),
      observed_data_refs: refs(['observed-data']),
      where_sighted_refs: refs(['identity', 'location']),
      first_seen: time,
      summary: fc.boolean(),
    }),
  ],
  relationship: [
    required({
      relationship_type: fc.constantFrom('uses', 'related-to'),
      source_ref: anyOf([...DOMAIN, ...CYBER]),
      target_ref: anyOf([...DOMAIN, ...CYBER]),
    }),
    optional({ description: text, start_time: time, stop_time: time }),
  ],
  'threat-actor': [named, seen, optional({ threat_actor_types: words, roles: words, sophistication: word })],
  tool: [named, phases, optional({ tool_types: words, tool_version: word })],
  vulnerability: [named, optional({ description: text })],
  'x-own-thing': [optional({ name: word, summary: json, count: json })],
  'marking-definition': [],
  'extension-definition': [
    required({ name: word, schema: word, version: word, extension_types: fc.constant(['property-extension']) }),
  ],
  'language-content': [required({ object_ref: anyOf(DOMAIN), contents: required({ de: required({ name: word }) }) })],
}

const sco = (
  fields: Record<string, fc.Arbitrary<unknown>>,
  more: Record<string, fc.Arbitrary<unknown>> = {},
): Objects[] => [
  required(fields),
  optional({
    ...more,
    object_marking_refs: markings,
    defanged: fc.boolean(),
    x_own: json,
    spec_version: fc.constant('2.1'),
  }),
]

/** The properties of each type of cyber observable. */
const OBSERVED: Record<string, Objects[]> = {
  artifact: sco({ mime_type: fc.constant('text/plain'), payload_bin: fc.constant('AAAA') }),
  'autonomous-system': sco({ number: fc.nat(70_000) }),
  directory: sco({ path: word }, { contains_refs: refs(['file', 'directory']) }),
  'domain-name': sco(
    { value: fc.constantFrom('Example.COM', 'localhost', 'bad domain') },
    { resolves_to_refs: refs(['ipv4-addr', 'domain-name']) },
  ),
  'email-addr': sco({ value: fc.constantFrom('A@example.com', 'b@example.com') }),
  'email-message': sco({ is_multipart: fc.constant(false) }, { subject: text, from_ref: idOf('email-addr') }),
  file: sco(
    { name: word },
    {
      hashes: required({ MD5: fc.constant('D41D8CD98F00B204E9800998ECF8427E') }),
      parent_directory_ref: idOf('directory'),
    },
  ),
  'ipv4-addr': sco({ value: fc.constantFrom('198.51.100.1', '198.51.100.0/24') }),
  'ipv6-addr': sco({ value: fc.constantFrom('2001:DB8::1', '2001:db8::/32') }),
  'mac-addr': sco({ value: fc.constant('00:00:5e:00:53:01') }),
  mutex: sco({ name: word }),
  'network-traffic': sco({ protocols: fc.constant(['tcp']), src_ref: idOf('ipv4-addr') }, { dst_port: fc.nat(65_535) }),
  process: sco({ pid: fc.nat() }, { command_line: text, parent_ref: idOf('process') }),
  software: sco({ name: word }),
  url: sco({ value: fc.constantFrom('HTTP://Example.com/A?b', 'https://example.org/') }),
  'user-account': sco({ user_id: word }),
  'windows-registry-key': sco({ key: fc.constant('HKEY_LOCAL_MACHINE\\Software\\x') }),
  'x509-certificate': sco({ issuer: word }, { serial_number: fc.constant('36:f7') }),
  'x-own-observable': sco({ value: json }),
}

const merged = (parts: readonly Objects[]): Objects =>
  fc.tuple(...parts).map((records) => Object.assign({}, ...records) as Fields)

const versioned = (type: string): Objects =>
  merged([required({ id: idOf(type), created: stamp, modified: stamp }), common, custom, ...(OWN[type] ?? [])]).map(
    (fields) => ({
      ...inOrder(fields),
      type,
      spec_version: '2.1',
    }),
  )

/** An interval must not end before it begins. */
function inOrder(fields: Fields): Fields {
  const ordered = { ...fields }
  const pairs = [
    ['created', 'modified'],
    ['first_seen', 'last_seen'],
    ['first_observed', 'last_observed'],
    ['valid_from', 'valid_until'],
    ['start_time', 'stop_time'],
  ] as const
  for (const [first, last] of pairs) {
    const [from, to] = [fields[first], fields[last]]
    if (typeof from !== 'string' || typeof to !== 'string') continue
    const isSame = Date.parse(from.slice(0, 23)) === Date.parse(to.slice(0, 23))
    if (isSame && (first === 'valid_from' || first === 'start_time')) delete ordered[last]
    else if (Date.parse(from) > Date.parse(to)) Object.assign(ordered, { [first]: to, [last]: from })
  }
  return ordered
}

const marking: Objects = required({ id: idOf('marking-definition'), created: stamp, statement: text }).map(
  ({ id, created, statement }) => ({
    type: 'marking-definition',
    spec_version: '2.1',
    id,
    created,
    ...(String(statement).length % 2 === 0
      ? { definition_type: 'statement', definition: { statement } }
      : { definition_type: 'tlp-own', definition: { tlp: 'amber' } }),
  }),
)

const cyber = (type: string): Objects =>
  merged([required({ id: idOf(type) }), ...(OBSERVED[type] ?? [])]).map((fields) => ({ ...fields, type }))

const anyObject = fc.oneof(
  fc.constantFrom(...Object.keys(OWN)).chain((type) => (type === 'marking-definition' ? marking : versioned(type))),
  fc.constantFrom(...Object.keys(OBSERVED)).chain(cyber),
)

/** Valid bundles with objects of every STIX 2.1 type that refer to each other, to themselves and to missing objects. */
export const anyBundle: fc.Arbitrary<{ type: string; id: string; objects: Fields[] }> = fc
  .uniqueArray(anyObject, { maxLength: 25, selector: ({ id }) => id })
  .map((objects) => ({ type: 'bundle', id: 'bundle--4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a11', objects }))
