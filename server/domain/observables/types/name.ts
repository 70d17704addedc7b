import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const name = {
  type: 'name',
  ...freeText('a name', 'Jane Doe'),
} as const satisfies ObservableDefinition
