import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'

export const ja3sHash = {
  type: 'ja3s-hash',
  ...hexadecimal(32, 'a JA3S fingerprint'),
} as const satisfies ObservableDefinition
