import type { ObservableDefinition } from '../definition.ts'
import { verbatim } from '../free-text.ts'

export const yara = {
  type: 'yara',
  label: 'YARA rule',
  ...verbatim('a YARA rule', 'rule Example {\n  strings:\n    $a = "a  b"\n  condition: $a\n}'),
  looks: [{ order: 230, test: /^(?:import\s+"|(?:(?:private|global)\s+){0,2}rule\s+\w+\s*[:{])/ }],
  misp: ['yara', 'Artifacts dropped'],
} as const satisfies ObservableDefinition
