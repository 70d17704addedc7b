import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'
import { stixFile } from '../stix-object.ts'

export const hashSha256 = {
  type: 'hash-sha256',
  label: 'SHA-256 hash',
  ...hexadecimal(64, 'a SHA-256 digest'),
  looks: [{ order: 120, test: /^[\da-f]{64}$/i }],
  isFileHash: true,
  stix: stixFile('SHA-256'),
  misp: ['sha256', 'Payload delivery'],
} as const satisfies ObservableDefinition
