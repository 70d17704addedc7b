import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'

export const hashSha384 = {
  type: 'hash-sha384',
  label: 'SHA-384 hash',
  ...hexadecimal(96, 'a SHA-384 digest'),
  looks: [{ order: 130, test: /^[\da-f]{96}$/i }],
  isFileHash: true,
  misp: ['sha384', 'Payload delivery'],
} as const satisfies ObservableDefinition
