import { isIPv4 } from 'node:net'
import { type Family, ipv4, ipv6, parseNetwork } from './ip.ts'
import { type Rule, withPlainDashes } from './rule.ts'
import type { ObservableType } from './types.ts'

/** Internet addresses and networks. */
export const addressRules = {
  ipv4: {
    form: 'an IPv4 address such as 192.0.2.1, four numbers from 0 to 255 without leading zeros',
    maximum: 15,
    // They come by the million, and have one spelling only.
    normalise: (text) => (isIPv4(text) ? text : undefined),
  },
  ipv6: {
    form: 'an IPv6 address such as 2001:db8::1, without a zone',
    maximum: 45,
    normalise: spelledIpv6,
  },
  'ipv4-cidr': {
    form: 'an IPv4 network such as 192.0.2.0/24, a prefix length from 0 to 32',
    maximum: 18,
    normalise: (text) => networkOf(ipv4, text),
  },
  'ipv6-cidr': {
    form: 'an IPv6 network such as 2001:db8::/32, a prefix length from 0 to 128',
    maximum: 49,
    normalise: (text) => networkOf(ipv6, text),
  },
  inetnum: {
    form: 'a range of addresses such as 192.0.2.0 - 192.0.2.255, or a network such as 192.0.2.0/24',
    maximum: 100,
    normalise: (text) => rangeOf(ipv4, text) ?? rangeOf(ipv6, text),
  },
} as const satisfies Partial<Record<ObservableType, Rule>>

/** The one spelling of an address of either family, or undefined when the text is none. */
export const anyAddressOf = (text: string): string | undefined => (isIPv4(text) ? text : spelledIpv6(text))

function spelledIpv6(text: string): string | undefined {
  const address = ipv6.parse(text)
  return address === undefined ? undefined : ipv6.format(address)
}

function networkOf(family: Family, text: string): string | undefined {
  const network = parseNetwork(family, text)
  return network && `${family.format(network.first)}/${network.prefix}`
}

/** Written as registries write it, first and last, also when it came as a network: one range has one spelling. */
function rangeOf(family: Family, text: string): string | undefined {
  const [from = '', to = from, ...more] = withPlainDashes(text).split('-')
  const network = parseNetwork(family, text)
  const first = network?.first ?? family.parse(from.trim())
  const last = network?.last ?? family.parse(to.trim())
  if (first === undefined || last === undefined || first > last || more.length > 0) return undefined
  return `${family.format(first)} - ${family.format(last)}`
}
