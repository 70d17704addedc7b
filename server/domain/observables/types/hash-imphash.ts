import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'

export const hashImphash = {
  type: 'hash-imphash',
  label: 'imphash hash',
  ...hexadecimal(32, 'an import hash'),
  isFileHash: true,
  misp: ['imphash', 'Payload delivery'],
} as const satisfies ObservableDefinition
