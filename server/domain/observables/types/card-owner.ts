import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const cardOwner = {
  type: 'card-owner',
  ...freeText('the owner of a card', 'J. Doe'),
} as const satisfies ObservableDefinition
