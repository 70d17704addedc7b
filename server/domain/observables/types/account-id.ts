import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const accountId = {
  type: 'account-id',
  ...freeText('the id of an account', '1029384756'),
} as const satisfies ObservableDefinition
