import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'
import { stixFile } from '../stix-object.ts'

export const hashSha512 = {
  type: 'hash-sha512',
  label: 'SHA-512 hash',
  ...hexadecimal(128, 'a SHA-512 digest'),
  looks: [{ order: 140, test: /^[\da-f]{128}$/i }],
  isFileHash: true,
  stix: stixFile('SHA-512'),
  misp: ['sha512', 'Payload delivery'],
} as const satisfies ObservableDefinition
