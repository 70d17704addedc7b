import { networkOf } from '../addresses.ts'
import type { ObservableDefinition } from '../definition.ts'
import { ipv6 } from '../ip.ts'
import { ipv6Object } from '../stix-object.ts'

export const ipv6Cidr = {
  type: 'ipv6-cidr',
  label: 'IPv6 network',
  form: 'an IPv6 network such as 2001:db8::/32, a prefix length from 0 to 128',
  maximum: 49,
  normalise: (text) => networkOf(ipv6, text),
  looks: [{ order: 60, test: /^[\da-f:.]{2,45}\/\d{1,3}$/i }],
  defanging: 'address',
  stix: ipv6Object,
  misp: ['ip-dst', 'Network activity'],
  examples: {
    good: [
      ['2001:DB8::1/32', '2001:db8::/32'],
      ['2001:db8::1/128', '2001:db8::1/128'],
      ['2001:db8::ffff/127', '2001:db8::fffe/127'],
      ['1::/0', '::/0'],
    ],
    bad: ['', '2001:db8::', '2001:db8::/129', '2001:db8::/', '192.0.2.0/24', 'fe80::%1/64'],
  },
} as const satisfies ObservableDefinition
