import { ipv6Of } from '../addresses.ts'
import type { ObservableDefinition } from '../definition.ts'
import { ipv6Object } from '../stix-object.ts'

export const ipv6 = {
  type: 'ipv6',
  label: 'IPv6 address',
  form: 'an IPv6 address such as 2001:db8::1, without a zone',
  maximum: 45,
  normalise: ipv6Of,
  looks: [{ order: 50, test: /^[\da-f:.]{2,45}$/i, sign: /:.*:/ }],
  defanging: 'address',
  stix: ipv6Object,
  misp: ['ip-dst', 'Network activity'],
  examples: {
    good: [
      ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
      ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
      ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
      ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
      ['0:0:0:0:0:0:0:0', '::'],
      ['1::', '1::'],
      ['::ffff:c000:201', '::ffff:192.0.2.1'],
      ['::192.0.2.1', '::c000:201'],
      ['2001[:]db8[:][:]1', '2001:db8::1'],
    ],
    bad: [
      '',
      ':',
      ':::',
      '1::2::3',
      '12345::',
      'fe80::1%eth0',
      '2001:db8::1/64',
      '[2001:db8::1]',
      '192.0.2.1',
      '1:2:3:4:5:6:7:8:9',
    ],
  },
} as const satisfies ObservableDefinition
