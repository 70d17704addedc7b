import type { ObservableDefinition } from '../definition.ts'
import { verbatim } from '../free-text.ts'

export const rule = {
  type: 'rule',
  ...verbatim('a detection rule', 'title: Example\nstatus: test'),
} as const satisfies ObservableDefinition
