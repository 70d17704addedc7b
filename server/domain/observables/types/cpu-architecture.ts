import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const cpuArchitecture = {
  type: 'cpu-architecture',
  ...freeText('a processor architecture', 'x86_64'),
} as const satisfies ObservableDefinition
