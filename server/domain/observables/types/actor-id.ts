import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const actorId = {
  type: 'actor-id',
  ...freeText('the id of an actor', 'UNC0000'),
  misp: ['threat-actor', 'Attribution'],
} as const satisfies ObservableDefinition
