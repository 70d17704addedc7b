import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const nationality = {
  type: 'nationality',
  ...freeText('a nationality', 'Dutch'),
  misp: ['nationality', 'Person'],
} as const satisfies ObservableDefinition
