import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const city = {
  type: 'city',
  ...freeText('a city', 'Amsterdam'),
} as const satisfies ObservableDefinition
