import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'
import { stixFile } from '../stix-object.ts'

export const hashSha1 = {
  type: 'hash-sha1',
  label: 'SHA-1 hash',
  ...hexadecimal(40, 'a SHA-1 digest'),
  looks: [{ order: 90, test: /^[\da-f]{40}$/i }],
  isFileHash: true,
  stix: stixFile('SHA-1'),
  misp: ['sha1', 'Payload delivery'],
} as const satisfies ObservableDefinition
