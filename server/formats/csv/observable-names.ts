import { HASH_TYPES, type ObservableType, observableTypeOf } from '../../domain/observables/types.ts'
import { typesOfAttribute } from '../misp/attribute-types.ts'
import { IP_TYPES as IP } from '../observable-among.ts'

const NETWORK = ['ipv4-cidr', 'ipv6-cidr', 'inetnum'] as const
const HOST = ['domain', 'host', ...IP] as const

/** Column and type names used by other products, with the observable types of their values. */
const NAMES: ReadonlyMap<string, readonly ObservableType[]> = new Map<string, readonly ObservableType[]>(
  Object.entries({
    any: [],
    as: ['asn'],
    'autonomous-system': ['asn'],
    btc: ['crypto-address'],
    c2: HOST,
    cidr: NETWORK,
    'domain-name': ['domain', 'host'],
    dst: IP,
    'dst-ip': IP,
    'email-addr': ['email'],
    'email-address': ['email'],
    'e-mail': ['email'],
    'file-name': ['file'],
    'file-path': ['file'],
    filename: ['file'],
    filepath: ['file'],
    fqdn: ['domain', 'host'],
    hash: HASH_TYPES,
    'file-hash': HASH_TYPES,
    hashes: HASH_TYPES,
    hostname: HOST,
    imphash: ['hash-imphash'],
    indicator: [],
    'indicator-value': [],
    ioc: [],
    'ioc-value': [],
    ip: IP,
    'ip-addr': IP,
    'ip-address': IP,
    'ip-cidr': NETWORK,
    ipaddr: IP,
    ipaddress: IP,
    'ipv4-addr': ['ipv4', 'ipv4-cidr'],
    'ipv6-addr': ['ipv6', 'ipv6-cidr'],
    ips: IP,
    ja3: ['ja3-hash'],
    ja3s: ['ja3s-hash'],
    mac: ['mac-48', 'eui-64'],
    'mac-addr': ['mac-48', 'eui-64'],
    'mac-address': ['mac-48', 'eui-64'],
    md5: ['hash-md5'],
    'filehash-md5': ['hash-md5'],
    observable: [],
    'observable-value': [],
    phone: ['telephone'],
    'phone-number': ['telephone'],
    regkey: ['winregistry'],
    'registry-key': ['winregistry'],
    'windows-registry-key': ['winregistry'],
    sha1: ['hash-sha1'],
    'sha-1': ['hash-sha1'],
    'filehash-sha1': ['hash-sha1'],
    sha224: ['hash-sha224'],
    sha256: ['hash-sha256'],
    'sha-256': ['hash-sha256'],
    'filehash-sha256': ['hash-sha256'],
    sha384: ['hash-sha384'],
    sha512: ['hash-sha512'],
    'sha-512': ['hash-sha512'],
    src: IP,
    'src-ip': IP,
    ssdeep: ['hash-ssdeep'],
    uri: ['uri'],
    url: ['uri'],
    urls: ['uri'],
    useragent: ['user-agent'],
    vulnerability: ['cve'],
  }),
)

/** Returns the types for a name in the spelling of the specification or of others. An empty list means any type. */
export function typesNamed(name: string): readonly ObservableType[] | undefined {
  const key = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  const known = observableTypeOf(key)
  return known ? [known] : (NAMES.get(key) ?? typesOfAttribute(key))
}
