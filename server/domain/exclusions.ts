import { type Family, ipv4, ipv6, parseNetwork } from './observables/ip.ts'
import { hostOf } from './observables/names.ts'
import { normaliseObservable } from './observables/normalise.ts'
import { hasControl } from './observables/text.ts'
import type { ObservableType } from './observables/types.ts'

/** A list of observables to ignore: values, domains with their subdomains, and networks with all their addresses. */
export interface ExclusionList {
  readonly name: string
  /** The observable types it applies to; empty for all types. */
  readonly types: readonly string[]
  readonly entries: readonly string[]
}

/** Returns the name of the list that excludes a normalised observable; undefined if there is none. */
export type Exclusion = (type: string, value: string) => string | undefined

/** Maximum length of an entry, in UTF-16 code units. */
export const MAX_ENTRY_LENGTH = 2_048

type Entry =
  | { readonly kind: 'network'; readonly family: Family; readonly first: bigint; readonly prefix: number }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'value'; readonly value: string }

/** Returns why an entry is invalid, as the end of a sentence; undefined if it is valid. */
export function entryFault(text: string): string | undefined {
  const entry = entryOf(text)
  return 'fault' in entry ? entry.fault : undefined
}

function entryOf(text: string): Entry | { readonly fault: string } {
  const given = text.trim()
  if (given === '') return { fault: 'must not be empty' }
  if (given.length > MAX_ENTRY_LENGTH || hasControl(given)) {
    return { fault: `must be one line of at most ${MAX_ENTRY_LENGTH} characters` }
  }
  return networkOf(given) ?? nameOf(given) ?? { kind: 'value', value: exact(given) }
}

function networkOf(text: string): Entry | { readonly fault: string } | undefined {
  for (const family of [ipv4, ipv6]) {
    const address = family.parse(text)
    if (address !== undefined) return { kind: 'network', family, first: address, prefix: family.bits }
    const network = parseNetwork(family, text)
    if (network?.prefix === 0) return { fault: 'must not be a network that covers all addresses' }
    if (network) return { kind: 'network', family, first: network.first, prefix: network.prefix }
  }
  return /^[\da-f]*[.:][\da-f:.]*\/\d+$/i.test(text)
    ? { fault: 'must be a network such as 192.0.2.0/24 or 2001:db8::/32' }
    : undefined
}

/** `example.com`, `.example.com` and `*.example.com` all mean the domain and its subdomains. */
function nameOf(text: string): Entry | { readonly fault: string } | undefined {
  const bare = text.replace(/^(?:\*\.|\.)/, '')
  const name = /^[^\s/:@\\]+$/.test(bare) && !isOfDigits(bare) ? hostOf(bare) : undefined
  if (text.includes('*') && (name === undefined || bare.includes('*'))) {
    return { fault: 'may contain an asterisk only before a domain, as in *.example.com' }
  }
  return name === undefined ? undefined : { kind: 'name', name }
}

/** Digests look like host names. */
const isOfDigits = (text: string): boolean => /^[\da-f]{32,}$/i.test(text)

/** URLs are compared as stored, everything else case-insensitively. */
function exact(text: string): string {
  const uri = text.includes('://') ? normaliseObservable('uri', text) : undefined
  return (uri && 'value' in uri ? uri.value : text).toLowerCase()
}

/** The indexes of the lists that contain an entry; usually one. */
type Holders = readonly number[]

interface Networks {
  readonly family: Family
  readonly prefix: number
  readonly byStart: Map<bigint, Holders>
}

/**
 * Creates a look-up in lists. Its cost does not depend on their length: one look-up for the value, one per label of a name, and one per
 * prefix length that occurs.
 */
export function exclusionsOf(lists: readonly ExclusionList[]): Exclusion {
  const values = new Map<string, Holders>()
  const names = new Map<string, Holders>()
  const networks: Networks[] = []
  for (const [i, { entries }] of lists.entries()) {
    for (const text of entries) {
      const entry = entryOf(text)
      if ('fault' in entry) continue
      if (entry.kind === 'value') hold(values, entry.value, i)
      else if (entry.kind === 'name') hold(names, entry.name, i)
      else hold(networksOf(networks, entry), entry.first, i)
    }
  }
  const types = lists.map((list) => new Set(list.types))
  const choose = (type: string, holders: Holders | undefined): string | undefined => {
    const index = holders?.find((i) => types[i]?.size === 0 || types[i]?.has(type))
    return index === undefined ? undefined : lists[index]?.name
  }
  return (type, value) => {
    const exactly = choose(type, values.get(value.toLowerCase()))
    if (exactly !== undefined) return exactly
    for (const holders of holdersOf(type, value, names, networks)) {
      const list = choose(type, holders)
      if (list !== undefined) return list
    }
    return undefined
  }
}

function hold<K>(map: Map<K, Holders>, key: K, list: number): void {
  const known = map.get(key)
  if (!known) map.set(key, [list])
  else if (!known.includes(list)) map.set(key, [...known, list])
}

function networksOf(
  networks: Networks[],
  { family, prefix }: { family: Family; prefix: number },
): Map<bigint, Holders> {
  const known = networks.find((one) => one.family === family && one.prefix === prefix)
  if (known) return known.byStart
  const byStart = new Map<bigint, Holders>()
  networks.push({ family, prefix, byStart })
  return byStart
}

/** Yields the lists that could exclude an observable by its host, most specific first. */
function* holdersOf(
  type: string,
  value: string,
  names: ReadonlyMap<string, Holders>,
  networks: readonly Networks[],
): Generator<Holders | undefined> {
  const host = hostIn(type as ObservableType, value)
  if (host === undefined) return
  const [address = '', length] = host.split('/')
  for (const { family, prefix, byStart } of networks) {
    const number = family.parse(address)
    // A network is excluded by one that contains all of it.
    if (number === undefined || Number(length ?? family.bits) < prefix) continue
    const shift = BigInt(family.bits - prefix)
    yield byStart.get((number >> shift) << shift)
  }
  for (let name = host; name !== ''; name = name.slice(name.indexOf('.') + 1 || name.length)) yield names.get(name)
}

/** Returns the host or network of an observable. */
function hostIn(type: ObservableType, value: string): string | undefined {
  switch (type) {
    case 'domain':
    case 'host':
    case 'ipv4':
    case 'ipv6':
    case 'ipv4-cidr':
    case 'ipv6-cidr':
      return value
    case 'email':
      return value.slice(value.lastIndexOf('@') + 1)
    case 'uri': {
      const [, authority = ''] = /^[a-z][a-z\d+.-]*:\/\/([^/?#\\]*)/i.exec(value) ?? []
      const place = authority.slice(authority.lastIndexOf('@') + 1)
      return place
        .replace(/:\d*$/, '')
        .replace(/^\[|\]$/g, '')
        .toLowerCase()
    }
    default:
      return undefined
  }
}
