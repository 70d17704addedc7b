import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'

export const hashSha224 = {
  type: 'hash-sha224',
  label: 'SHA-224 hash',
  ...hexadecimal(56, 'a SHA-224 digest'),
  looks: [{ order: 100, test: /^[\da-f]{56}$/i }],
  isFileHash: true,
  misp: ['sha224', 'Payload delivery'],
} as const satisfies ObservableDefinition
