import { guessType } from '../../../domain/observables/guess.ts'
import { type ObservableType, observableTypeOf } from '../../../domain/observables/types.ts'
import { attributeOf, childOf, textOf, typeNameOf, type XmlElement } from '../../xml/xml-element.ts'

/** The observable type of a CybOX property; undefined if there is none. */
export function typeOfLeaf(leaf: XmlElement, parent: XmlElement, value: string): ObservableType | undefined {
  const rule = LEAVES.get(leaf.name)
  return typeof rule === 'function' ? rule({ leaf, parent, value }) : rule
}

/** Another type that the value looks like, if it is not valid for the type of its property. */
export function typeByLooks(type: ObservableType, value: string): ObservableType | undefined {
  const guess = guessType(value)
  return guess !== undefined && ALTERNATIVES[type]?.includes(guess) ? guess : undefined
}

interface Place {
  readonly leaf: XmlElement
  readonly parent: XmlElement
  readonly value: string
}

const ADDRESSES: readonly ObservableType[] = [
  'ipv4',
  'ipv6',
  'ipv4-cidr',
  'ipv6-cidr',
  'inetnum',
  'email',
  'mac-48',
  'asn',
]
const NAMES: readonly ObservableType[] = ['domain', 'uri', 'ipv4', 'ipv6']
const ALTERNATIVES: Partial<Record<ObservableType, readonly ObservableType[]>> = {
  ...Object.fromEntries(ADDRESSES.map((type) => [type, [...ADDRESSES, 'domain', 'eui-64']])),
  ...Object.fromEntries(NAMES.map((type) => [type, [...ADDRESSES, ...NAMES]])),
  host: NAMES,
}

const CATEGORIES: ReadonlyMap<string, ObservableType> = new Map([
  ['asn', 'asn'],
  ['e-mail', 'email'],
  ['ipv4-addr', 'ipv4'],
  ['ipv6-addr', 'ipv6'],
  ['mac', 'mac-48'],
])

const HASHES: ReadonlyMap<string, ObservableType> = new Map([
  ['AUTHENTIHASH', 'hash-authentihash'],
  ['FUZZY', 'hash-ssdeep'],
  ['IMPHASH', 'hash-imphash'],
  ['MD5', 'hash-md5'],
  ['RICHPEHEADER', 'hash-rich-pe-header'],
  ['SHA1', 'hash-sha1'],
  ['SHA224', 'hash-sha224'],
  ['SHA256', 'hash-sha256'],
  ['SHA384', 'hash-sha384'],
  ['SHA512', 'hash-sha512'],
  ['SSDEEP', 'hash-ssdeep'],
  ['VHASH', 'hash-vhash'],
])

const MUTEXES = new Set(['MutexObjectType', 'WindowsMutexObjectType'])
const PROCESSES = new Set(['ProcessObjectType', 'UnixProcessObjectType', 'WindowsProcessObjectType'])

function ofAddress({ parent, value }: Place): ObservableType {
  const category = attributeOf(parent, 'category').toLowerCase()
  if (category === 'cidr' || category.endsWith('-net')) return value.includes(':') ? 'ipv6-cidr' : 'ipv4-cidr'
  return CATEGORIES.get(category) ?? typeByLooks('ipv4', value) ?? 'ipv4'
}

function ofHash({ parent, value }: Place): ObservableType | undefined {
  const name = textOf(childOf(parent, 'Type'))
    .toUpperCase()
    .replaceAll(/[^A-Z\d]/g, '')
  const guess = guessType(value)
  return HASHES.get(name) ?? (guess?.startsWith('hash-') ? guess : undefined)
}

function ofValue({ parent }: Place): ObservableType | undefined {
  const type = typeNameOf(parent)
  if (type === 'DomainNameObjectType') return 'domain'
  if (type === 'URIObjectType' || type === 'LinkObjectType' || type === '') {
    if (attributeOf(parent, 'type') === 'Domain Name' || DOMAINS.has(parent.name)) return 'domain'
    return type !== '' || URIS.has(parent.name) ? 'uri' : undefined
  }
  return undefined
}

/** Elements that hold domain names without declaring a URI object type. */
const DOMAINS = new Set(['Domain_Name', 'QName', 'Nameserver', 'Server_Name', 'Whois_Server'])
const URIS = new Set(['Link', 'Referer', 'Referral_URL', 'URI', 'URL'])

function ofName({ parent }: Place): ObservableType | undefined {
  if (MUTEXES.has(typeNameOf(parent))) return 'mutex'
  if (PROCESSES.has(typeNameOf(parent))) return 'process-name'
  return parent.name === 'Registrar_Info' ? 'registrar' : undefined
}

const inside =
  (types: Readonly<Record<string, ObservableType>>) =>
  ({ parent }: Place): ObservableType | undefined =>
    Object.hasOwn(types, parent.name) ? types[parent.name] : undefined

const LEAVES: ReadonlyMap<string, ObservableType | ((place: Place) => ObservableType | undefined)> = new Map<
  string,
  ObservableType | ((place: Place) => ObservableType | undefined)
>([
  ['Address_Value', ofAddress],
  ['Command_Line', 'process'],
  ['Device_Path', 'file'],
  ['File_Name', 'file'],
  ['File_Path', 'file'],
  ['Full_Path', 'file'],
  ['Fuzzy_Hash_Value', ofHash],
  ['Hostname_Value', ({ parent }) => (attributeOf(parent, 'is_domain_name') === 'true' ? 'domain' : 'host')],
  ['Issuer', inside({ Certificate: 'certificate-issuer' })],
  ['Name', ofName],
  ['Number', ({ parent }) => (typeNameOf(parent) === 'ASObjectType' ? 'asn' : undefined)],
  ['Path', inside({ Image_Info: 'file' })],
  ['Phone_Number', 'telephone'],
  ['Port_Value', 'port'],
  ['Product', ({ parent }) => (typeNameOf(parent) === 'ProductObjectType' ? 'product' : undefined)],
  ['Property', ({ leaf }) => observableTypeOf(attributeOf(leaf, 'name'))],
  ['Serial_Number', inside({ Certificate: 'certificate-serial-number' })],
  ['Service_DLL', 'file'],
  ['Simple_Hash_Value', ofHash],
  ['Size_In_Bytes', 'file-size'],
  ['Sponsoring_Registrar', 'registrar'],
  ['Subject', inside({ Certificate: 'certificate-subject', Header: 'email-subject' })],
  ['User_Agent', 'user-agent'],
  ['Username', 'user-account'],
  ['Value', ofValue],
])
