import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const forumRoom = {
  type: 'forum-room',
  ...freeText('the room of a forum', 'Marketplace'),
} as const satisfies ObservableDefinition
