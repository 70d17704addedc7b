import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'
import { stixObject } from '../stix-object.ts'

export const product = {
  type: 'product',
  ...freeText('a product', 'Example Server 2.0'),
  stix: stixObject('software', 'name'),
} as const satisfies ObservableDefinition
