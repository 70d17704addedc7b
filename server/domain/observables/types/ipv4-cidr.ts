import { networkOf } from '../addresses.ts'
import type { ObservableDefinition } from '../definition.ts'
import { ipv4 } from '../ip.ts'
import { stixObject } from '../stix-object.ts'

export const ipv4Cidr = {
  type: 'ipv4-cidr',
  label: 'IPv4 network',
  form: 'an IPv4 network such as 192.0.2.0/24, a prefix length from 0 to 32',
  maximum: 18,
  normalise: (text) => networkOf(ipv4, text),
  looks: [{ order: 20, test: /^[\d.]{7,15}\/\d{1,2}$/ }],
  defanging: 'address',
  stix: stixObject('ipv4-addr'),
  misp: ['ip-dst', 'Network activity'],
  examples: {
    good: [
      ['192.0.2.77/24', '192.0.2.0/24'],
      ['192.0.2.1/32', '192.0.2.1/32'],
      ['192.0.2.1/0', '0.0.0.0/0'],
      ['192[.]0[.]2[.]0[/]24', '192.0.2.0/24'],
    ],
    bad: [
      '',
      '192.0.2.0',
      '192.0.2.0/',
      '192.0.2.0/33',
      '192.0.2.0/024',
      '192.0.2.0/-1',
      '192.0.2/24',
      '2001:db8::/32',
    ],
  },
} as const satisfies ObservableDefinition
