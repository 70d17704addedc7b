import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const registrar = {
  type: 'registrar',
  ...freeText('a registrar', 'Example Registrar, Inc.'),
  misp: ['whois-registrar', 'Attribution'],
} as const satisfies ObservableDefinition
