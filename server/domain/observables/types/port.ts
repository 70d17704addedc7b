import type { ObservableDefinition } from '../definition.ts'
import { wholeNumber } from '../spelling.ts'

export const port = {
  type: 'port',
  form: 'a port from 0 to 65535',
  maximum: 16,
  normalise: (text) => wholeNumber(text, 65_535n),
  misp: ['port', 'Network activity'],
  examples: {
    good: [
      ['443', '443'],
      ['0', '0'],
      ['00080', '80'],
      ['65535', '65535'],
    ],
    bad: ['', '65536', '-1', '80/tcp', '8o', '1.5', '\u0668'],
  },
} as const satisfies ObservableDefinition
