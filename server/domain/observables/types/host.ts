import type { ObservableDefinition } from '../definition.ts'
import { hostOf, NAME } from '../names.ts'

export const host = {
  type: 'host',
  form: 'the name or address of a host such as www.example.com or DESKTOP-1',
  maximum: 254,
  normalise: hostOf,
  plain: new RegExp(`^${NAME}$`),
  defanging: 'name',
  misp: ['hostname', 'Network activity'],
  // A host name of MISP is mostly a domain.
  isTaggedInMisp: true,
  examples: {
    good: [
      ['WWW.Example.com.', 'www.example.com'],
      ['DESKTOP-1', 'desktop-1'],
      ['my_printer', 'my_printer'],
      ['192.0.2.1', '192.0.2.1'],
      ['192[.]0[.]2[.]1', '192.0.2.1'],
      ['2001:DB8::1', '2001:db8::1'],
      ['b\u00fccher', 'xn--bcher-kva'],
    ],
    bad: ['', 'a b', '12345', '1.2.3', '0x7f.1', '300.0.2.1', 'a..b', '_', 'host:80', 'a/b', 'x'.repeat(64)],
  },
} as const satisfies ObservableDefinition
