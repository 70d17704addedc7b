import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const person = {
  type: 'person',
  ...freeText('a person', 'Jane Doe'),
  misp: ['full-name', 'Person'],
} as const satisfies ObservableDefinition
