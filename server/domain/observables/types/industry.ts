import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const industry = {
  type: 'industry',
  ...freeText('an industry', 'Energy & Utilities'),
} as const satisfies ObservableDefinition
