import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'

export const hashRichPeHeader = {
  type: 'hash-rich-pe-header',
  label: 'rich-pe-header hash',
  ...hexadecimal(32, 'the digest of a Rich header'),
  isFileHash: true,
} as const satisfies ObservableDefinition
