import { isIPv4 } from 'node:net'
import { type Family, ipv6, parseNetwork } from './ip.ts'

/** The one spelling of an address of either family, or undefined when the text is none. */
export const anyAddressOf = (text: string): string | undefined => (isIPv4(text) ? text : ipv6Of(text))

/** The one spelling of an IPv6 address. */
export function ipv6Of(text: string): string | undefined {
  const address = ipv6.parse(text)
  return address === undefined ? undefined : ipv6.format(address)
}

/** The one spelling of a network: its first address and the length of its prefix. */
export function networkOf(family: Family, text: string): string | undefined {
  const network = parseNetwork(family, text)
  return network && `${family.format(network.first)}/${network.prefix}`
}
