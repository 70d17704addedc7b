import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const address = {
  type: 'address',
  ...freeText('a postal address', '1 Example Street, 1000 Exampleville'),
} as const satisfies ObservableDefinition
