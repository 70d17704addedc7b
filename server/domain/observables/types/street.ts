import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const street = {
  type: 'street',
  ...freeText('a street', '1 Example Street'),
} as const satisfies ObservableDefinition
