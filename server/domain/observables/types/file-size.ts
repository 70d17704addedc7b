import type { ObservableDefinition } from '../definition.ts'
import { wholeNumber } from '../spelling.ts'

export const fileSize = {
  type: 'file-size',
  form: 'the size of a file in bytes, a whole number below 2^63',
  maximum: 40,
  normalise: (text) => wholeNumber(text, 2n ** 63n - 1n),
  misp: ['size-in-bytes', 'Other'],
  examples: {
    good: [
      ['1024', '1024'],
      ['0010', '10'],
      ['0', '0'],
      ['9223372036854775807', '9223372036854775807'],
    ],
    bad: ['', '-1', '1.5', '1 KB', '1e3', '9223372036854775808', '\u0661'],
  },
} as const satisfies ObservableDefinition
