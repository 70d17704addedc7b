import type { ObservableType } from '../../domain/observables/types.ts'
import { typesNamed } from '../csv/observable-names.ts'

/** Type names in lists that neither the specification nor MISP defines. */
const WORDS: Readonly<Record<string, readonly ObservableType[]>> = {
  bitcoin: ['crypto-address'],
  command: ['process'],
  'command-line': ['process'],
  commandline: ['process'],
  cryptocurrency: ['crypto-address'],
  'c2-domain': ['domain', 'host'],
  'file-path-name': ['file'],
  'file-name': ['file'],
  'host-name': ['domain', 'host', 'ipv4', 'ipv6'],
  host: ['domain', 'host', 'ipv4', 'ipv6'],
  'ip-port': ['ipv4', 'ipv6'],
  'ip:port': ['ipv4', 'ipv6'],
  ipport: ['ipv4', 'ipv6'],
  network: ['ipv4-cidr', 'ipv6-cidr', 'inetnum'],
  path: ['file'],
  registry: ['winregistry'],
  regkey: ['winregistry'],
  'registry-path': ['winregistry'],
  subdomain: ['domain', 'host'],
  subnet: ['ipv4-cidr', 'ipv6-cidr', 'inetnum'],
  thumbprint: ['certificate-hash'],
  wallet: ['crypto-address'],
}

/** Names of people, places and things: such a word alone does not show that a value has this type. */
const GENERIC_TYPES: ReadonlySet<string> = new Set(
  `account-id actor-id address card-owner city company country country-code cpu-architecture forum-name forum-room forum-thread
  geo geo-lat geo-long handle industry malware name nationality netname organization person postcode process-name product region
  registrar rule street user-account`.split(/\s+/),
)

/** Types of rows that describe the list and contain no indicator. */
const DESCRIBING =
  /^(?:about|author|blog|comment|copyright|date|description|info|information|link|note|notes|publication|ref|reference|references|remark|report|source|title|tlp|vendor)$/

/** Whether the type of a row says that it only describes the list. */
export const isDescribing = (word: string): boolean => DESCRIBING.test(keyOf(word))

/** Returns the types for a word in a type column: undefined if it is not a type word, and empty if it means any type. */
export function typesOfWord(word: string): readonly ObservableType[] | undefined {
  if (word.length > 40 || word === '') return undefined
  const key = keyOf(word)
  for (const tried of [key, key.replace(/-?(?:hash|address|addr|value|ioc|indicator|name)?(?:es|s)?$/, '')]) {
    const types = Object.hasOwn(WORDS, tried) ? WORDS[tried] : typesNamed(tried)
    if (types) return types.some((type) => GENERIC_TYPES.has(type)) ? undefined : types
  }
  return undefined
}

const keyOf = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_/]+/g, '-')
