import type { ObservableDefinition } from '../definition.ts'
import { hexadecimal } from '../hexadecimal.ts'

export const jarm = {
  type: 'jarm',
  ...hexadecimal(62, 'a JARM fingerprint'),
  looks: [{ order: 110, test: /^[\da-f]{62}$/i }],
  misp: ['jarm-fingerprint', 'Network activity'],
} as const satisfies ObservableDefinition
