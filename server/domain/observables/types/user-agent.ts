import type { ObservableDefinition } from '../definition.ts'
import { line } from '../free-text.ts'

export const userAgent = {
  type: 'user-agent',
  ...line('a user agent', 'Mozilla/5.0 (compatible;  Example/1.0)', 8_192),
  looks: [{ order: 250, test: /^Mozilla\/\d/ }],
  misp: ['user-agent', 'Network activity'],
} as const satisfies ObservableDefinition
