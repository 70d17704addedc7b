import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'

export const ja3Hash = {
  type: 'ja3-hash',
  ...hexadecimal(32, 'a JA3 fingerprint'),
  misp: ['ja3-fingerprint-md5', 'Network activity'],
} as const satisfies ObservableDefinition
