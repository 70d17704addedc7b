import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const region = {
  type: 'region',
  ...freeText('a region', 'Noord-Holland'),
} as const satisfies ObservableDefinition
