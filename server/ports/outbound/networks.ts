import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A part of the address space: where it begins, and how many bits of that count. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>

/** Reads `10.0.0.0/8` or a single address; undefined when it is neither. */
export function readNetwork(text: string): Network | undefined {
  const [base = ''] = text.split('/', 1)
  const cidr = base === text ? `${base}/${isIP(base) === 6 ? 128 : 32}` : text
  return isIP(base) !== 0 && ipaddr.isValidCIDR(cidr) ? ipaddr.parseCIDR(cidr) : undefined
}

/** Whether an address is in one of these networks. */
export function isWithin(address: string, networks: readonly Network[]): boolean {
  const parsed = ipaddr.process(address)
  return networks.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match([base, bits] as never))
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/** Whether an address belongs to the public internet; of IPv6 that is the one part that addresses are given out from. */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST as never)
}
