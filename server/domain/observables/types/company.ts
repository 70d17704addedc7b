import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const company = {
  type: 'company',
  ...freeText('a company', 'Example B.V.'),
} as const satisfies ObservableDefinition
