import type { ObservableDefinition } from '../definition.ts'
import { line } from '../free-text.ts'

export const deviceFingerprint = {
  type: 'device-fingerprint',
  ...line('the fingerprint of a device', 'Canvas:0f1e2d;Fonts:12', 8_192),
} as const satisfies ObservableDefinition
