import type { Message } from '../calling/question.ts'
import { untrusted } from '../prompting/untrusted.ts'

/** A message of the conversation so far, as the client says that it was. */
export interface Earlier {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

const MAX_MESSAGES = 20
const MAX_CHARACTERS = 12_000

interface Kept {
  readonly history: readonly Earlier[]
  /** What was left out, in words. */
  readonly notes: readonly string[]
}

/** The end of a conversation, as long as it may be in a prompt. */
export function endOfHistory(all: readonly Earlier[]): Kept {
  const history: Earlier[] = []
  let left = MAX_CHARACTERS
  for (const message of all.toReversed()) {
    if (history.length === MAX_MESSAGES || message.content.length > left) break
    left -= message.content.length
    history.unshift(message)
  }
  const isCut = history.length < all.length
  const what = history.length === 0 ? 'None' : `Only the last ${history.length}`
  return {
    history,
    notes: isCut ? [`${what} of the ${all.length} messages of this conversation were used.`] : [],
  }
}

const NAMES = { user: 'Earlier, the analyst wrote', assistant: 'Earlier, you answered' }

/** Each message as data: it may quote documents, and clients can write what they like into it. */
export const historyMessages = (mark: string, history: readonly Earlier[]): Message[] =>
  history.map(({ role, content }) => untrusted(mark, { name: NAMES[role], text: content }))

const MAX_QUERY = 2_000

/** What is searched for: the question, after the one before it, which it may refer to with a mere "it". */
export function searchedFor(query: string, history: readonly Earlier[]): string {
  const before = history.findLast(({ role }) => role === 'user')?.content.trim() ?? ''
  return `${before.slice(0, Math.max(0, MAX_QUERY - query.length))} ${query}`.trim().toWellFormed()
}
