import type { FoundObservable } from '../finding.ts'
import { OWN_TYPE } from './cyber-observables.ts'
import { EXTENSION_ID } from './extension.ts'
import { isValidObject } from './faults.ts'
import { observableId } from './observable-ids.ts'
import type { StixObject } from './stix-object.ts'

type Fields = Readonly<Record<string, unknown>> & { readonly type: string }

const file =
  (hash: string) =>
  (value: string): Fields => ({ type: 'file', hashes: { [hash]: value } })

const withValue =
  (type: string, name = 'value') =>
  (value: string): Fields => ({ type, [name]: value })

/** The object of STIX for an observable of each type, where STIX has one. */
const OBJECTS: ReadonlyMap<string, (value: string) => Fields | undefined> = new Map<
  string,
  (value: string) => Fields | undefined
>([
  ['asn', (value) => ({ type: 'autonomous-system', number: Number(value.replace(/^AS/, '')) })],
  ['certificate-issuer', withValue('x509-certificate', 'issuer')],
  ['certificate-serial-number', withValue('x509-certificate', 'serial_number')],
  ['certificate-subject', withValue('x509-certificate', 'subject')],
  ['domain', withValue('domain-name')],
  ['email', withValue('email-addr')],
  ['email-subject', (value) => ({ type: 'email-message', is_multipart: false, subject: value })],
  ['file', withValue('file', 'name')],
  ['hash-md5', file('MD5')],
  ['hash-sha1', file('SHA-1')],
  ['hash-sha256', file('SHA-256')],
  ['hash-sha512', file('SHA-512')],
  ['hash-ssdeep', file('SSDEEP')],
  ['ipv4', withValue('ipv4-addr')],
  ['ipv4-cidr', withValue('ipv4-addr')],
  ['ipv6', (value) => ipv6Object(value)],
  ['ipv6-cidr', (value) => ipv6Object(value)],
  ['mac-48', withValue('mac-addr')],
  ['mutex', withValue('mutex', 'name')],
  ['process', withValue('process', 'command_line')],
  ['product', withValue('software', 'name')],
  ['uri', withValue('url')],
  ['user-account', withValue('user-account', 'account_login')],
  ['winregistry', (value) => (value.startsWith('HKEY_') ? { type: 'windows-registry-key', key: value } : undefined)],
])

/** The cyber observable that an observable of the platform is in STIX; one of our own type where STIX takes no such value. */
export function makeObservable({ type, value }: Pick<FoundObservable, 'type' | 'value'>): StixObject {
  const fields = OBJECTS.get(type)?.(value)
  const object = fields && withId(fields)
  if (object && isValidObject(object)) return object
  const extensions = { [EXTENSION_ID]: { extension_type: 'new-sco' } }
  return withId({ type: OWN_TYPE, observable_type: type, value, extensions })
}

const withId = (fields: Fields): StixObject => ({ ...fields, spec_version: '2.1', id: observableId(fields) })

/** The schemas of STIX take no address whose end is written as one of IPv4. */
function ipv6Object(value: string): Fields {
  const plain = value.replace(/(?<!\d)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  return { type: 'ipv6-addr', value: plain }
}
