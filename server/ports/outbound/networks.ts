import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A range of addresses: its base, and the length of its prefix. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>

/** Parses `10.0.0.0/8` or a single address; undefined if it is neither. */
export function readNetwork(text: string): Network | undefined {
  const [base = ''] = text.split('/', 1)
  const cidr = base === text ? `${base}/${isIP(base) === 6 ? 128 : 32}` : text
  return isIP(base) !== 0 && ipaddr.isValidCIDR(cidr) ? ipaddr.parseCIDR(cidr) : undefined
}

/** Whether an address is in one of these networks. */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const parsed = ipaddr.process(address)
  return networks.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match([base, bits] as never))
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/** Whether an address is publicly routable. For IPv6, that is the one range from which addresses are assigned. */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST as never)
}

const INTERNAL = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified'])

/** Whether an address belongs to a machine itself or to an internal network. */
export const isInternal = (address: string): boolean => INTERNAL.has(ipaddr.process(address).range())
