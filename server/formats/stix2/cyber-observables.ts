import { normaliseObservable } from '../../domain/observables/normalise.ts'
import { type ObservableType, observableTypeOf } from '../../domain/observables/types.ts'
import { isRecord } from '../../domain/record.ts'
import type { FoundObservable } from '../finding.ts'
import type { Fields } from './stix-object.ts'

type Found = readonly [type: ObservableType | readonly ObservableType[], value: unknown]

/** The custom object type for observables that STIX has no object for. */
export const OWN_TYPE = 'x-corvus-observable'

const HASHES: ReadonlyMap<string, ObservableType> = new Map([
  ['MD5', 'hash-md5'],
  ['SHA1', 'hash-sha1'],
  ['SHA224', 'hash-sha224'],
  ['SHA256', 'hash-sha256'],
  ['SHA384', 'hash-sha384'],
  ['SHA512', 'hash-sha512'],
  ['SSDEEP', 'hash-ssdeep'],
  ['IMPHASH', 'hash-imphash'],
  ['AUTHENTIHASH', 'hash-authentihash'],
  ['VHASH', 'hash-vhash'],
])

const hashesOf = (hashes: unknown): Found[] =>
  isRecord(hashes)
    ? Object.entries(hashes).flatMap(([name, value]): Found[] => {
        const type = HASHES.get(name.replace(/[-_ ]/g, '').toUpperCase())
        return type ? [[type, value]] : []
      })
    : []

const certificateHashes = (hashes: unknown): Found[] =>
  hashesOf(hashes).map(([, value]) => ['certificate-hash', value] as const)

const single =
  (type: ObservableType | readonly ObservableType[], name = 'value') =>
  (fields: Fields): Found[] => [[type, fields[name]]]

/** Extracts the observables that an object of each type names. Types that STIX does not define are extensions used by other products. */
const OBSERVABLES: ReadonlyMap<string, (fields: Fields) => Found[]> = new Map([
  ['artifact', ({ hashes, url }) => [...hashesOf(hashes), ['uri', url]]],
  ['autonomous-system', ({ number }) => [['asn', number]]],
  ['directory', single('file', 'path')],
  ['domain-name', single(['domain', 'host'])],
  ['email-addr', single('email')],
  ['email-message', single('email-subject', 'subject')],
  ['file', ({ hashes, name }) => [...hashesOf(hashes), ['file', name]]],
  ['ipv4-addr', single(['ipv4', 'ipv4-cidr'])],
  ['ipv6-addr', single(['ipv6', 'ipv6-cidr'])],
  ['mac-addr', single('mac-48')],
  ['mutex', single('mutex', 'name')],
  ['network-traffic', trafficOf],
  [
    'process',
    ({ command_line, name }) => [
      ['process', command_line],
      ['process-name', name],
    ],
  ],
  ['software', single('product', 'name')],
  ['url', single('uri')],
  [
    'user-account',
    ({ account_login, user_id, display_name }) => [['user-account', account_login ?? user_id ?? display_name]],
  ],
  ['windows-registry-key', single('winregistry', 'key')],
  [
    'x509-certificate',
    ({ hashes, serial_number, issuer, subject }) => [
      ...certificateHashes(hashes),
      ['certificate-serial-number', serial_number],
      ['certificate-issuer', issuer],
      ['certificate-subject', subject],
    ],
  ],
  ['bank-account', single('bank-account', 'iban')],
  ['cryptocurrency-wallet', single('crypto-address')],
  ['hostname', single(['host'])],
  ['payment-card', single('card', 'card_number')],
  ['phone-number', single('telephone')],
  ['user-agent', single('user-agent')],
  ['x-cryptocurrency-wallet', single('crypto-address')],
  ['x-hostname', single('host')],
  ['x-user-agent', single('user-agent')],
  [OWN_TYPE, ownOf],
])

/** The observables that objects name, and the reasons why other values were rejected. */
export interface Named {
  readonly observables: readonly FoundObservable[]
  readonly losses: readonly string[]
}

/** The cyber observable types defined by STIX 2.1. */
const STANDARD = new Set(
  `artifact autonomous-system directory domain-name email-addr email-message file ipv4-addr ipv6-addr mac-addr mutex
  network-traffic process software url user-account windows-registry-key x509-certificate`.split(/\s+/),
)

/** Whether objects of a type are always cyber observables, rather than custom domain objects. */
export const isObservableType = (type: string): boolean => STANDARD.has(type) || OBSERVABLES.has(type)

/** Returns the observables that a STIX cyber observable names. */
export function observablesOf(object: Fields & { readonly type: string }): Named {
  return namedBy(OBSERVABLES.get(object.type)?.(object) ?? [])
}

/** Normalises values whose type is known, or is one of a few candidates. */
export function namedBy(found: readonly Found[]): Named {
  const observables: FoundObservable[] = []
  const losses: string[] = []
  for (const [types, value] of found) {
    const text = typeof value === 'number' ? String(value) : value
    if (text === undefined || text === null || text === '') continue
    const read = firstOf(typeof types === 'string' ? [types] : types, text)
    if ('fault' in read) losses.push(read.fault)
    else observables.push(read)
  }
  return { observables, losses }
}

function firstOf(types: readonly ObservableType[], text: unknown): FoundObservable | { fault: string } {
  if (typeof text !== 'string') {
    return { fault: `${types[0]} ${JSON.stringify(text).slice(0, 100)} is not a valid observable: it is not text` }
  }
  let fault = ''
  for (const type of types) {
    const normalised = normaliseObservable(type, text)
    if ('value' in normalised) return { type, value: normalised.value }
    fault ||= `${type} '${text.slice(0, 100)}' is not a valid observable: it ${normalised.fault}`
  }
  return { fault }
}

function trafficOf({ src_port, dst_port, extensions }: Fields): Found[] {
  const request = isRecord(extensions) ? extensions['http-request-ext'] : undefined
  const header = isRecord(request) ? request.request_header : undefined
  const agents = isRecord(header) ? Object.entries(header).filter(([name]) => /^user-agent$/i.test(name)) : []
  return [
    ['port', src_port],
    ['port', dst_port],
    ...agents.flatMap(([, value]) =>
      (Array.isArray(value) ? value : [value]).map((agent): Found => ['user-agent', agent]),
    ),
  ]
}

function ownOf({ observable_type, value }: Fields): Found[] {
  const type = typeof observable_type === 'string' ? observableTypeOf(observable_type) : undefined
  return type ? [[type, value]] : []
}
