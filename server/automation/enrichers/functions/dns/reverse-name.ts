import { ipv6 } from '../../../../domain/observables/ip.ts'
import type { Subject } from '../../function.ts'

const IPV6_DIGITS = 32

/** The name under which the names of an address are kept; undefined for other observables. */
export function reverseName({ type, value }: Subject): string | undefined {
  if (type === 'ipv4') return `${value.split('.').reverse().join('.')}.in-addr.arpa`
  const address = type === 'ipv6' ? ipv6.parse(value) : undefined
  if (address === undefined) return undefined
  return `${[...address.toString(16).padStart(IPV6_DIGITS, '0')].reverse().join('.')}.ip6.arpa`
}
