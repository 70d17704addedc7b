import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'
import { stixObject } from '../stix-object.ts'

export const userAccount = {
  type: 'user-account',
  ...freeText('a user account', 'EXAMPLE\\jane.doe'),
  stix: stixObject('user-account', 'account_login'),
} as const satisfies ObservableDefinition
