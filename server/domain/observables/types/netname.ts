import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const netname = {
  type: 'netname',
  ...freeText('the name of a network', 'EXAMPLE-NET'),
} as const satisfies ObservableDefinition
