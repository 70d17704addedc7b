import type { ObservableDefinition } from '../definition.ts'
import { CONTROL } from '../free-text.ts'
import { keepWord } from '../text.ts'

export const hashVhash = {
  type: 'hash-vhash',
  label: 'vhash hash',
  form: 'a vhash: printable characters without white space',
  maximum: 512,
  normalise: (text) => keepWord(text.toLowerCase()),
  isFileHash: true,
  misp: ['vhash', 'Payload delivery'],
  examples: {
    good: [
      ['0740361D051)z1e3z', '0740361d051)z1e3z'],
      [' 015z ', '015z'],
    ],
    bad: ['', 'two words', CONTROL, 'x'.repeat(513)],
  },
} as const satisfies ObservableDefinition
