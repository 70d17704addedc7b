import { definitionOf, type ObservableType } from '../../domain/observables/types.ts'
import { IP_TYPES as IP } from '../observable-among.ts'

const HOST = ['domain', 'host', 'ipv4', 'ipv6'] as const

/** MISP attribute types that are observables, with the observable types of their values. */
const TYPES: ReadonlyMap<string, readonly ObservableType[]> = new Map<string, readonly ObservableType[]>(
  Object.entries({
    AS: ['asn'],
    attachment: ['file'],
    authentihash: ['hash-authentihash'],
    'bank-account-nr': ['bank-account'],
    bro: ['rule'],
    btc: ['crypto-address'],
    'cc-number': ['card'],
    'country-of-residence': ['country'],
    cpe: ['product'],
    dash: ['crypto-address'],
    'dns-soa-email': ['email'],
    domain: ['domain', 'host'],
    email: ['email'],
    'email-attachment': ['file'],
    'email-dst': ['email'],
    'email-dst-display-name': ['name'],
    'email-reply-to': ['email'],
    'email-src': ['email'],
    'email-src-display-name': ['name'],
    'email-subject': ['email-subject'],
    eppn: ['email'],
    filename: ['file'],
    'full-name': ['person'],
    'github-organisation': ['organization'],
    'github-username': ['handle'],
    hostname: HOST,
    iban: ['bank-account'],
    imphash: ['hash-imphash'],
    'ip-dst': IP,
    'ip-src': IP,
    'ja3-fingerprint-md5': ['ja3-hash'],
    'jabber-id': ['handle'],
    'jarm-fingerprint': ['jarm'],
    'mac-address': ['mac-48', 'eui-64'],
    'mac-eui-64': ['eui-64'],
    'malware-sample': ['file'],
    md5: ['hash-md5'],
    mutex: ['mutex'],
    nationality: ['nationality'],
    'onion-address': ['domain'],
    pdb: ['file'],
    'phone-number': ['telephone'],
    port: ['port'],
    regkey: ['winregistry'],
    sha1: ['hash-sha1'],
    sha224: ['hash-sha224'],
    sha256: ['hash-sha256'],
    sha384: ['hash-sha384'],
    sha512: ['hash-sha512'],
    sigma: ['rule'],
    'size-in-bytes': ['file-size'],
    snort: ['snort'],
    ssdeep: ['hash-ssdeep'],
    'target-email': ['email'],
    'target-machine': ['host', 'domain', 'ipv4', 'ipv6'],
    'target-org': ['organization'],
    'target-user': ['user-account'],
    'threat-actor': ['actor-id'],
    'twitter-id': ['handle'],
    uri: ['uri'],
    url: ['uri'],
    'user-agent': ['user-agent'],
    vhash: ['hash-vhash'],
    vulnerability: ['cve'],
    weakness: ['cwe'],
    'whois-registrant-email': ['email'],
    'whois-registrant-name': ['person'],
    'whois-registrant-org': ['organization'],
    'whois-registrant-phone': ['telephone'],
    'whois-registrar': ['registrar'],
    'x509-fingerprint-md5': ['certificate-hash'],
    'x509-fingerprint-sha1': ['certificate-hash'],
    'x509-fingerprint-sha256': ['certificate-hash'],
    xmr: ['crypto-address'],
    yara: ['yara'],
    zeek: ['rule'],
  }),
)

/** Returns the observable types for a MISP attribute type; undefined if there are none. */
export const typesOfAttribute = (type: string): readonly ObservableType[] | undefined => TYPES.get(type)

/** Returns the MISP attribute types for values of an observable type, the usual one first. */
export const attributesOf = (type: ObservableType): readonly string[] => {
  const usual = definitionOf(type).misp?.[0]
  const others = [...TYPES].flatMap(([name, types]) => (types.includes(type) ? [name] : []))
  return [...new Set([...(usual === undefined ? [] : [usual]), ...others])]
}

/** One part of a composite attribute value, and its type. */
export interface AttributePart {
  readonly type: string
  readonly value: string
}

/**
 * Splits an attribute with a composite value, such as `filename|md5` or `ip-dst|port`, at the last bar, because names may contain bars
 * while digests and ports do not. A registry key ends at the first one.
 */
export function partsOf(type: string, value: string): AttributePart[] {
  const kind = type === 'malware-sample' ? 'filename|md5' : type
  const bar = kind.indexOf('|')
  if (bar < 0) return [{ type: kind, value }]
  const [first, second] = [kind.slice(0, bar), kind.slice(bar + 1)]
  const at = first === 'regkey' ? value.indexOf('|') : value.lastIndexOf('|')
  if (at < 0) return [{ type: first, value }]
  const whole = { type: first, value: value.slice(0, at) }
  // The second part of a registry key is arbitrary data.
  if (first === 'regkey') return [whole]
  return [whole, { type: second === 'ip' ? 'ip-dst' : second, value: value.slice(at + 1) }]
}
