import type { ObservableDefinition } from '../definition.ts'
import { type Family, ipv4, ipv6, parseNetwork } from '../ip.ts'
import { withPlainDashes } from '../spelling.ts'

export const inetnum = {
  type: 'inetnum',
  label: 'IP range',
  form: 'a range of addresses such as 192.0.2.0 - 192.0.2.255, or a network such as 192.0.2.0/24',
  maximum: 100,
  normalise: (text) => rangeOf(ipv4, text) ?? rangeOf(ipv6, text),
  looks: [{ order: 70, test: /^[\da-f:.]{2,45}\s*[-\u2013]\s*[\da-f:.]{2,45}$/i }],
  defanging: 'address',
  examples: {
    good: [
      ['192.0.2.0-192.0.2.255', '192.0.2.0 - 192.0.2.255'],
      ['192.0.2.7/24', '192.0.2.0 - 192.0.2.255'],
      ['192.0.2.1 \u2013 192.0.2.9', '192.0.2.1 - 192.0.2.9'],
      ['192.0.2.1', '192.0.2.1 - 192.0.2.1'],
      ['2001:DB8::/127', '2001:db8:: - 2001:db8::1'],
      ['192[.]0[.]2[.]0/31', '192.0.2.0 - 192.0.2.1'],
    ],
    bad: [
      '',
      '192.0.2.9 - 192.0.2.1',
      '192.0.2.1 - 2001:db8::1',
      '192.0.2.0/33',
      '1-2-3',
      '192.0.2.1 -',
      'EXAMPLE-NET',
    ],
  },
} as const satisfies ObservableDefinition

/** Written as registries write it, first and last, also when it came as a network: one range has one spelling. */
function rangeOf(family: Family, text: string): string | undefined {
  const [from = '', to = from, ...more] = withPlainDashes(text).split('-')
  const network = parseNetwork(family, text)
  const first = network?.first ?? family.parse(from.trim())
  const last = network?.last ?? family.parse(to.trim())
  if (first === undefined || last === undefined || first > last || more.length > 0) return undefined
  return `${family.format(first)} - ${family.format(last)}`
}
