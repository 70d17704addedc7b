import type { ObservableDefinition } from '../definition.ts'
import { octetsOf } from '../octets.ts'

export const eui64 = {
  type: 'eui-64',
  label: 'EUI-64 address',
  form: 'an EUI-64 such as 00:00:5e:ff:fe:00:53:01, eight octets',
  maximum: 23,
  normalise: (text) => octetsOf(text, 8),
  looks: [
    // Eight pairs could also be an IPv6 address, but none that anyone would write with all its zeros.
    { order: 40, test: /^[\da-f]{2}(?:[:-][\da-f]{2}){7}$/i },
  ],
  misp: ['mac-eui-64', 'Network activity'],
  examples: {
    good: [
      ['00-00-5E-FF-FE-00-53-01', '00:00:5e:ff:fe:00:53:01'],
      ['0000.5eff.fe00.5301', '00:00:5e:ff:fe:00:53:01'],
      ['00005EFFFE005301', '00:00:5e:ff:fe:00:53:01'],
    ],
    bad: ['', '00:00:5e:00:53:01', '00:00:5e:ff:fe:00:53:0g', '00:00-5e:ff:fe:00:53:01', '00:00:5e:ff:fe:00:53:01:02'],
  },
} as const satisfies ObservableDefinition
