import type { ObservableDefinition } from '../definition.ts'
import { verbatim } from '../free-text.ts'

export const snort = {
  type: 'snort',
  label: 'Snort rule',
  ...verbatim('a Snort rule', 'alert tcp any any -> any 80 (msg:"Example";  sid:1;)'),
  looks: [{ order: 220, test: /^(?:alert|drop|log|pass|reject)\s+(?:dns|ftp|http|icmp|ip|smb|ssh|tcp|tls|udp)\s/ }],
  misp: ['snort', 'Network activity'],
} as const satisfies ObservableDefinition
