import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const country = {
  type: 'country',
  ...freeText('the name of a country', 'Netherlands'),
} as const satisfies ObservableDefinition
