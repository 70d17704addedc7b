import type { ObservableDefinition } from '../definition.ts'
import { line } from '../free-text.ts'

export const processName = {
  type: 'process-name',
  ...line('the name of a process', 'svc host.exe', 32_767),
} as const satisfies ObservableDefinition
