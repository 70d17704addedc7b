import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const organization = {
  type: 'organization',
  ...freeText('an organization', 'Example Foundation'),
} as const satisfies ObservableDefinition
