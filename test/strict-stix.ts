import assert from 'node:assert/strict'
import { isIPv4, isIPv6 } from 'node:net'
import { checkHashes, checkPattern, checkTime, checkUri } from './strict-stix-values.ts'

type Fields = Record<string, unknown>

/**
 * Reads a bundle as strictly as libraries that refuse a whole bundle because of one bad object, and returns its
 * objects. It is written from the specification and shares no code with the writer that it checks.
 */
export function readStrictly(text: string): Fields[] {
  const bundle = JSON.parse(text) as Fields
  assert.equal(bundle.type, 'bundle')
  checkId(bundle.id, 'bundle')
  const objects = (bundle.objects ?? []) as Fields[]
  const ids = objects.map(({ id, modified }) => `${String(id)} ${String(modified)}`)
  assert.equal(new Set(ids).size, ids.length, 'an object is there twice')
  for (const object of objects) {
    try {
      checkObject(object)
    } catch (error) {
      throw new Error(`${String(object.id)}: ${String(error)}\n${JSON.stringify(object).slice(0, 3000)}`)
    }
  }
  return objects
}

const SCOS = new Set(
  `artifact autonomous-system directory domain-name email-addr email-message file ipv4-addr ipv6-addr mac-addr mutex
  network-traffic process software url user-account windows-registry-key x509-certificate`.split(/\s+/),
)
const SDOS = new Set(
  `attack-pattern campaign course-of-action grouping identity incident indicator infrastructure intrusion-set location
  malware malware-analysis note observed-data opinion report threat-actor tool vulnerability`.split(/\s+/),
)
const NAMED =
  'attack-pattern campaign course-of-action identity incident infrastructure intrusion-set report threat-actor tool vulnerability'

const REQUIRED: Record<string, string> = {
  ...Object.fromEntries(NAMED.split(' ').map((type) => [type, 'name'])),
  'autonomous-system': 'number',
  directory: 'path',
  'domain-name': 'value',
  'email-addr': 'value',
  'email-message': 'is_multipart',
  'extension-definition': 'name schema version extension_types created_by_ref',
  grouping: 'context object_refs',
  indicator: 'pattern pattern_type valid_from',
  'ipv4-addr': 'value',
  'ipv6-addr': 'value',
  'language-content': 'object_ref contents',
  'mac-addr': 'value',
  malware: 'is_family',
  'malware-analysis': 'product',
  'marking-definition': 'created',
  mutex: 'name',
  'network-traffic': 'protocols',
  note: 'content object_refs',
  'observed-data': 'first_observed last_observed number_observed',
  opinion: 'opinion object_refs',
  relationship: 'relationship_type source_ref target_ref',
  report: 'name published object_refs',
  sighting: 'sighting_of_ref',
  software: 'name',
  url: 'value',
}

function checkObject(object: Fields): void {
  const type = String(object.type)
  assert.match(type, /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/)
  assert.ok(type.length >= 3 && type.length <= 250 && type !== 'bundle' && type !== 'action', 'type')
  checkId(object.id, type)
  const isSco = SCOS.has(type) || (!SDOS.has(type) && object.created === undefined)
  if (!isSco || object.spec_version !== undefined) assert.equal(object.spec_version, '2.1')
  const isVersioned = !isSco && type !== 'marking-definition'
  for (const name of [...(REQUIRED[type]?.split(' ') ?? []), ...(isVersioned ? ['created', 'modified'] : [])])
    assert.ok(object[name] !== undefined, `${name} is missing`)
  for (const [name, value] of Object.entries(object)) checkProperty(type, name, value)
  for (const [first, last, isStrict] of ORDER) checkOrder(object, first, last, isStrict)
  WHOLE[type]?.(object)
  checkSelectors(object)
}

function checkId(id: unknown, type: string): void {
  const form = /^([a-z][a-z0-9-]+[a-z0-9])--[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
  assert.equal(form.exec(String(id))?.[1], type, `${String(id)} is no id of ${type}`)
}

const ORDER: [string, string, boolean][] = [
  ['created', 'modified', false],
  ['first_seen', 'last_seen', false],
  ['first_observed', 'last_observed', false],
  ['valid_from', 'valid_until', true],
  ['start_time', 'stop_time', true],
]

function checkOrder(object: Fields, first: string, last: string, isStrict: boolean): void {
  if (!isTimeProperty(first, object) || !isTimeProperty(last, object)) return
  const [from, to] = [String(object[first]), String(object[last])]
  const key = (time: string) => `${time.slice(0, 19)}.${(/\.(\d+)/.exec(time)?.[1] ?? '').padEnd(9, '0').slice(0, 9)}`
  assert.ok(isStrict ? key(to) > key(from) : key(to) >= key(from), `${last} is before ${first}`)
}

const TIMES = new Set(
  `created modified first_seen last_seen first_observed last_observed valid_from valid_until start_time stop_time published
  submitted analysis_started analysis_ended`.split(/\s+/),
)

/** Objects that STIX defines have only property names of STIX. */
const isTimeProperty = (name: string, { type, [name]: value }: Fields): boolean =>
  TIMES.has(name) &&
  value !== undefined &&
  (name === 'created' ||
    name === 'modified' ||
    SDOS.has(String(type)) ||
    type === 'relationship' ||
    type === 'sighting') &&
  (OWN_TIMES[name]?.split(' ').includes(String(type)) ?? true)

const OWN_TIMES: Record<string, string> = {
  first_seen: 'campaign infrastructure intrusion-set malware threat-actor sighting',
  last_seen: 'campaign infrastructure intrusion-set malware threat-actor sighting',
  first_observed: 'observed-data',
  last_observed: 'observed-data',
  valid_from: 'indicator',
  valid_until: 'indicator',
  start_time: 'relationship',
  stop_time: 'relationship',
  published: 'report',
  submitted: 'malware-analysis',
  analysis_started: 'malware-analysis',
  analysis_ended: 'malware-analysis',
}

function checkProperty(type: string, name: string, value: unknown): void {
  assert.match(name, /^(?:[a-z][a-z0-9_]{2,249}|id)$/)
  assert.ok(!['action', 'username', 'phone_numbers', 'severity'].includes(name), `${name} is reserved`)
  assert.ok(value !== null && !(Array.isArray(value) && value.length === 0), `${name} is empty`)
  if (name.endsWith('_bin'))
    assert.match(String(value), /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}[A-Za-z0-9+/=][A-Za-z0-9+/=])$/)
  if (name.endsWith('_hex')) assert.match(String(value), /^(?:[a-fA-F0-9]{2})+$/)
  if (isTimeProperty(name, { type, [name]: value }))
    checkTime(value, type !== 'marking-definition' && /^(?:created|modified)$/.test(name))
  COMMON[name]?.(value, type)
}

const ids = (value: unknown, isAllowed: (type: string) => boolean): void => {
  assert.ok(Array.isArray(value), 'a list of ids')
  for (const id of value) ref(id, isAllowed)
}

function ref(id: unknown, isAllowed: (type: string) => boolean): void {
  const type = String(id).split('--')[0] ?? ''
  checkId(id, type)
  assert.ok(isAllowed(type), `${String(id)} cannot stand there`)
}

const COMMON: Record<string, (value: unknown, type: string) => void> = {
  confidence: (value, type) =>
    isOurs(type) && assert.ok(Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100),
  created_by_ref: (value) => ref(value, (type) => type === 'identity'),
  object_marking_refs: (value) => ids(value, (type) => type === 'marking-definition'),
  object_refs: (value, of) =>
    ['grouping', 'note', 'opinion', 'report', 'observed-data'].includes(of) &&
    ids(value, (type) => of !== 'observed-data' || !SDOS.has(type)),
  external_references: (value, type) => !SCOS.has(type) && checkReferences(value),
  extensions: checkExtensions,
  hashes: (value, type) => ['artifact', 'file', 'x509-certificate'].includes(type) && checkHashes(value),
  labels: (value, type) =>
    isOurs(type) && assert.ok(Array.isArray(value) && value.every((one) => typeof one === 'string')),
  revoked: (value, type) => isOurs(type) && assert.equal(typeof value, 'boolean'),
  lang: (value, type) => isOurs(type) && assert.equal(typeof value, 'string'),
}

const isOurs = (type: string): boolean => !SCOS.has(type)

function checkReferences(value: unknown): void {
  assert.ok(Array.isArray(value), 'references')
  for (const { source_name, url, external_id, description, hashes } of value as Fields[]) {
    assert.equal(typeof source_name, 'string')
    assert.ok(
      [url, external_id, description].some((one) => one !== undefined),
      'a reference that leads nowhere',
    )
    for (const one of [url, external_id, description]) assert.ok(one === undefined || typeof one === 'string')
    if (url !== undefined) checkUri(url)
    if (hashes !== undefined) checkHashes(hashes)
    if (source_name === 'cve') assert.match(String(external_id), /^CVE-\d{4}-(?:0\d{3}|[1-9]\d{3,})$/)
    else if (source_name === 'capec') assert.match(String(external_id), /^CAPEC-\d+$/)
    else assert.doesNotMatch(String(external_id), /^(?:CVE-\d{4}-(?:0\d{3}|[1-9]\d{3,})|CAPEC-\d+)$/)
  }
}

function checkExtensions(value: unknown): void {
  for (const [name, extension] of Object.entries(value as Fields)) {
    assert.ok(typeof extension === 'object' && extension !== null && !Array.isArray(extension), 'an extension')
    if (!name.startsWith('extension-definition--')) assert.match(name, /^[a-z0-9-]+-ext$/)
    else {
      checkId(name, 'extension-definition')
      assert.match(String((extension as Fields).extension_type), /^(?:new-s[dcr]o|(?:toplevel-)?property-extension)$/)
    }
  }
}

const noReserved = (type: string): boolean =>
  !['relationship', 'sighting', 'bundle', 'marking-definition', 'language-content'].includes(type)

const text = (value: unknown): void => assert.equal(typeof value, 'string')

/** Constraints of single types on whole objects. */
const WHOLE: Record<string, (object: Fields) => void> = {
  'autonomous-system': ({ number }) => assert.ok(Number.isInteger(number)),
  'email-addr': ({ value }) => assert.match(String(value), /^[^\s@]+@[^\s@]+\.[^\s@.]+$/),
  file: ({ hashes, name }) =>
    assert.ok(hashes !== undefined || typeof name === 'string', 'a file without a name or hashes'),
  indicator: ({ pattern, pattern_type }) => {
    text(pattern)
    text(pattern_type)
    if (pattern_type === 'stix') checkPattern(String(pattern))
  },
  'ipv4-addr': ({ value }) => assert.ok(isIPv4(String(value).split('/')[0] ?? ''), 'an address'),
  'ipv6-addr': ({ value }) => assert.ok(isIPv6(String(value).split('/')[0] ?? ''), 'an address'),
  location: ({ region, country, latitude, longitude, precision }) => {
    assert.ok(region !== undefined || country !== undefined || latitude !== undefined, 'a location nowhere')
    assert.equal(latitude === undefined, longitude === undefined)
    assert.ok(precision === undefined || latitude !== undefined, 'a precision of nothing')
    assert.ok(latitude === undefined || Math.abs(Number(latitude)) <= 90)
    assert.ok(longitude === undefined || Math.abs(Number(longitude)) <= 180)
  },
  malware: ({ is_family, name }) => {
    assert.equal(typeof is_family, 'boolean')
    assert.ok(is_family === false || name !== undefined, 'a family without a name')
  },
  'malware-analysis': ({ result, analysis_sco_refs }) =>
    assert.ok(result !== undefined || analysis_sco_refs !== undefined, 'an analysis without a result'),
  'network-traffic': ({ src_ref, dst_ref }) => assert.ok(src_ref !== undefined || dst_ref !== undefined, 'no end'),
  'observed-data': ({ objects, object_refs, number_observed }) => {
    assert.ok((objects === undefined) !== (object_refs === undefined), 'objects or references')
    assert.ok(Number.isInteger(number_observed) && Number(number_observed) > 0)
  },
  opinion: ({ opinion }) =>
    assert.ok(['strongly-disagree', 'disagree', 'neutral', 'agree', 'strongly-agree'].includes(String(opinion))),
  relationship: ({ source_ref, target_ref, relationship_type }) => {
    ref(source_ref, noReserved)
    ref(target_ref, noReserved)
    assert.match(String(relationship_type), /^[a-z0-9-]+$/)
  },
  sighting: ({ sighting_of_ref, where_sighted_refs, observed_data_refs, count }) => {
    ref(sighting_of_ref, noReserved)
    if (where_sighted_refs !== undefined) ids(where_sighted_refs, (type) => type === 'identity' || type === 'location')
    if (observed_data_refs !== undefined) ids(observed_data_refs, (type) => type === 'observed-data')
    assert.ok(count === undefined || (Number.isInteger(count) && Number(count) >= 0))
  },
  url: ({ value }) => checkUri(value),
}

function checkSelectors(object: Fields): void {
  for (const { selectors, marking_ref } of (object.granular_markings ?? []) as Fields[]) {
    checkId(marking_ref, 'marking-definition')
    for (const selector of selectors as string[]) {
      const found = selector
        .split('.')
        .reduce<unknown>((at, step) => (at as Fields | undefined)?.[step.replace(/^\[(\d+)\]$/, '$1')], object)
      assert.ok(found !== undefined, `${selector} selects nothing`)
    }
  }
}
