import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const containerRegistryAccountName = {
  type: 'container-registry-account-name',
  ...freeText('the account name at a container registry', 'example'),
} as const satisfies ObservableDefinition
