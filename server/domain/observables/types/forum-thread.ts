import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const forumThread = {
  type: 'forum-thread',
  ...freeText('the thread of a forum', 'Selling examples'),
} as const satisfies ObservableDefinition
