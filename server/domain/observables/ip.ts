import { isIPv6 } from 'node:net'

/** A family of addresses as numbers: how wide they are, how they are read and how they are written. */
export interface Family {
  readonly bits: number
  readonly parse: (text: string) => bigint | undefined
  readonly format: (address: bigint) => string
}

/** IPv4 addresses, four decimal numbers without leading zeros: `010` is 8 to some programs and 10 to others. */
export const ipv4: Family = { bits: 32, parse: parseIpv4, format: formatIpv4 }

/** IPv6 addresses, written as RFC 5952 says. */
export const ipv6: Family = { bits: 128, parse: parseIpv6, format: formatIpv6 }

/** The first and the last address of a network in CIDR notation, and the length of its prefix. */
export function parseNetwork(
  family: Family,
  text: string,
): { first: bigint; last: bigint; prefix: number } | undefined {
  const slash = text.indexOf('/')
  const address = slash < 0 ? undefined : family.parse(text.slice(0, slash))
  const length = text.slice(slash + 1)
  if (address === undefined || !/^(?:0|[1-9]\d{0,2})$/.test(length) || Number(length) > family.bits) return undefined
  const hostBits = BigInt(family.bits - Number(length))
  const first = (address >> hostBits) << hostBits
  return { first, last: first + (1n << hostBits) - 1n, prefix: Number(length) }
}

function parseIpv4(text: string): bigint | undefined {
  if (!/^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(text)) return undefined
  const parts = text.split('.').map(Number)
  if (parts.some((part) => part > 255)) return undefined
  return parts.reduce((address, part) => (address << 8n) | BigInt(part), 0n)
}

function formatIpv4(address: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn).join('.')
}

function parseIpv6(text: string): bigint | undefined {
  // A zone names an interface of one machine: it means nothing anywhere else.
  if (text.includes('%') || !isIPv6(text)) return undefined
  const [head = '', tail] = text.split('::')
  const left = groups(head)
  const right = tail === undefined ? [] : groups(tail)
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0n)
  return [...left, ...zeros, ...right].reduce((address, group) => (address << 16n) | group, 0n)
}

function groups(text: string): bigint[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)]
    const embedded = parseIpv4(group) ?? 0n
    return [embedded >> 16n, embedded & 0xffffn]
  })
}

function formatIpv6(address: bigint): string {
  if (address >> 32n === 0xffffn) return `::ffff:${formatIpv4(address & 0xffff_ffffn)}`
  const parts = Array.from({ length: 8 }, (_, i) => ((address >> BigInt(112 - 16 * i)) & 0xffffn).toString(16))
  const text = parts.join(':')
  const runs = [...text.matchAll(/\b0(?::0)+\b/g)].map(({ 0: run, index }) => ({ start: index, length: run.length }))
  if (runs.length === 0) return text
  // The first of the longest: RFC 5952 leaves no other choice.
  const { start, length } = runs.reduce((best, run) => (run.length > best.length ? run : best))
  return `${text.slice(0, start).replace(/:$/, '')}::${text.slice(start + length).replace(/^:/, '')}`
}
