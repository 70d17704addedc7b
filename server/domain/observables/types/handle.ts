import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const handle = {
  type: 'handle',
  ...freeText('a handle', '@Example'),
} as const satisfies ObservableDefinition
