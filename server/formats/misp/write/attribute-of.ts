import { isRecord, type Json, listOf } from '../../json/record.ts'
import type { ShippedObservable } from '../../shipment.ts'
import { uuidOf } from '../../stix2/ids.ts'
import { textOf } from '../text-of.ts'

/** A type of attributes, and the category under which MISP takes it. */
type Kind = readonly [type: string, category: string]

const NETWORK = 'Network activity'
const PAYLOAD = 'Payload delivery'

/** What observables are as attributes of MISP. A type that is not here is written as `other` with a tag that names it. */
const KINDS: Readonly<Record<string, Kind>> = {
  'actor-id': ['threat-actor', 'Attribution'],
  asn: ['AS', NETWORK],
  card: ['cc-number', 'Financial fraud'],
  cve: ['vulnerability', 'External analysis'],
  cwe: ['weakness', 'External analysis'],
  domain: ['domain', NETWORK],
  email: ['email', PAYLOAD],
  'email-subject': ['email-subject', PAYLOAD],
  'eui-64': ['mac-eui-64', NETWORK],
  file: ['filename', PAYLOAD],
  'file-size': ['size-in-bytes', 'Other'],
  'hash-authentihash': ['authentihash', PAYLOAD],
  'hash-imphash': ['imphash', PAYLOAD],
  'hash-md5': ['md5', PAYLOAD],
  'hash-sha1': ['sha1', PAYLOAD],
  'hash-sha224': ['sha224', PAYLOAD],
  'hash-sha256': ['sha256', PAYLOAD],
  'hash-sha384': ['sha384', PAYLOAD],
  'hash-sha512': ['sha512', PAYLOAD],
  'hash-ssdeep': ['ssdeep', PAYLOAD],
  'hash-vhash': ['vhash', PAYLOAD],
  host: ['hostname', NETWORK],
  ipv4: ['ip-dst', NETWORK],
  'ipv4-cidr': ['ip-dst', NETWORK],
  ipv6: ['ip-dst', NETWORK],
  'ipv6-cidr': ['ip-dst', NETWORK],
  'ja3-hash': ['ja3-fingerprint-md5', NETWORK],
  jarm: ['jarm-fingerprint', NETWORK],
  'mac-48': ['mac-address', NETWORK],
  mutex: ['mutex', 'Artifacts dropped'],
  nationality: ['nationality', 'Person'],
  person: ['full-name', 'Person'],
  port: ['port', NETWORK],
  registrar: ['whois-registrar', 'Attribution'],
  snort: ['snort', NETWORK],
  telephone: ['phone-number', 'Person'],
  uri: ['url', NETWORK],
  'user-agent': ['user-agent', NETWORK],
  winregistry: ['regkey', 'Artifacts dropped'],
  yara: ['yara', 'Artifacts dropped'],
}

const OTHER: Kind = ['other', 'Other']

/** A host name of MISP is mostly a domain. */
const AMBIGUOUS = new Set(['host'])

/** What an observable is in an event, whose UUID its own depends on: the same one in two events is two attributes. */
export function attributeOf(observable: ShippedObservable, event: string, comment: string, timestamp: string): Json {
  const { type, value, meta } = observable
  const [kind, category] = KINDS[type] ?? OTHER
  const level = String(meta.maliciousness ?? 'unknown')
  const tags = [
    ...(kind === OTHER[0] || AMBIGUOUS.has(type) ? [TYPE.write(type)] : []),
    ...(level === 'unknown' ? [] : [LEVEL.write(level)]),
  ]
  return {
    uuid: uuidOf('misp-attribute', event, type, value),
    type: kind,
    category,
    value,
    to_ids: DETECTED.has(level),
    comment,
    timestamp,
    ...(tags.length > 0 ? { Tag: tags.map((name) => ({ name })) } : {}),
  }
}

const DETECTED = new Set(['low', 'medium', 'high'])

/** A machine tag of ours on attributes: MISP has no field for what it says. */
const machineTag = (predicate: string) => ({
  write: (value: string): string => `corvus:${predicate}="${value}"`,
  read(attribute: Json): string | undefined {
    const start = `corvus:${predicate}="`
    const names = listOf(attribute.Tag)
      .filter(isRecord)
      .map((tag) => textOf(tag, 'name'))
    return names.find((name) => name.startsWith(start) && name.endsWith('"'))?.slice(start.length, -1)
  },
})

/** The type of an observable where that of the attribute does not tell. */
export const TYPE = machineTag('type')
/** How malicious an observable is. */
export const LEVEL = machineTag('maliciousness')
