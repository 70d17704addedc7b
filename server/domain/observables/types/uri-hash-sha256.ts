import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'

export const uriHashSha256 = {
  type: 'uri-hash-sha256',
  label: 'SHA-256 hash of a URI',
  ...hexadecimal(64, 'the SHA-256 digest of a URI'),
} as const satisfies ObservableDefinition
