import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'

export const hashAuthentihash = {
  type: 'hash-authentihash',
  label: 'authentihash hash',
  ...hexadecimal(64, 'an Authentihash'),
  isFileHash: true,
  misp: ['authentihash', 'Payload delivery'],
} as const satisfies ObservableDefinition
