import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'
import { stixFile } from '../stix-object.ts'

export const hashMd5 = {
  type: 'hash-md5',
  label: 'MD5 hash',
  ...hexadecimal(32, 'an MD5 digest'),
  looks: [{ order: 80, test: /^[\da-f]{32}$/i }],
  isFileHash: true,
  stix: stixFile('MD5'),
  misp: ['md5', 'Payload delivery'],
} as const satisfies ObservableDefinition
