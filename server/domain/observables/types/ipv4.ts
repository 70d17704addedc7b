import { isIPv4 } from 'node:net'
import type { ObservableDefinition } from '../definition.ts'
import { stixObject } from '../stix-object.ts'

export const ipv4 = {
  type: 'ipv4',
  label: 'IPv4 address',
  form: 'an IPv4 address such as 192.0.2.1, four numbers from 0 to 255 without leading zeros',
  maximum: 15,
  // They come by the million, and have one spelling only.
  normalise: (text) => (isIPv4(text) ? text : undefined),
  looks: [{ order: 10, test: /^[\d.]{7,15}$/ }],
  defanging: 'address',
  stix: stixObject('ipv4-addr'),
  misp: ['ip-dst', 'Network activity'],
  examples: {
    good: [
      ['192.0.2.1', '192.0.2.1'],
      ['192[.]0(.)2{.}1', '192.0.2.1'],
      ['192.0.2[dot]1', '192.0.2.1'],
      ['0.0.0.0', '0.0.0.0'],
      ['255.255.255.255', '255.255.255.255'],
    ],
    bad: [
      '',
      '192.0.2',
      '192.0.2.256',
      '192.0.02.1',
      '010.0.2.1',
      '192.0.2.1.',
      '0x7f.0.0.1',
      '192.0.2.1/32',
      '192.0.2.1:80',
      '1.1.1.\u0661',
    ],
  },
} as const satisfies ObservableDefinition
