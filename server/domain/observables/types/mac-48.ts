import type { ObservableDefinition } from '../definition.ts'
import { octetsOf } from '../octets.ts'
import { stixObject } from '../stix-object.ts'

export const mac48 = {
  type: 'mac-48',
  label: 'MAC address',
  form: 'a MAC address such as 00:00:5e:00:53:01, six octets',
  maximum: 17,
  normalise: (text) => octetsOf(text, 6),
  looks: [{ order: 30, test: /^[\da-f]{2}(?:[:-][\da-f]{2}){5}$|^[\da-f]{4}\.[\da-f]{4}\.[\da-f]{4}$/i }],
  stix: stixObject('mac-addr'),
  misp: ['mac-address', 'Network activity'],
  examples: {
    good: [
      ['00-00-5E-00-53-01', '00:00:5e:00:53:01'],
      ['00:00:5e:00:53:01', '00:00:5e:00:53:01'],
      ['0000.5E00.5301', '00:00:5e:00:53:01'],
      ['00005e005301', '00:00:5e:00:53:01'],
    ],
    bad: ['', '00:00:5e:00:53', '00:00:5e:00:53:0g', '00:00-5e:00:53:01', '0:0:5e:0:53:1', '00:00:5e:00:53:01:02'],
  },
} as const satisfies ObservableDefinition
