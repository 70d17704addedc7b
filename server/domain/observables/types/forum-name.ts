import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const forumName = {
  type: 'forum-name',
  ...freeText('the name of a forum', 'Example Forum'),
} as const satisfies ObservableDefinition
