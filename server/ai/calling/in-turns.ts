import type { Message } from './question.ts'

/** The same messages as a conversation in turns: one system message, then one of the user, one of the assistant, and so on. */
export function inTurns(messages: readonly Message[]): Message[] {
  const isSystem = ({ role }: Message) => role === 'system'
  const ordered = [...messages.filter(isSystem), ...messages.filter((message) => !isSystem(message))]
  const turns: Message[] = []
  for (const { role, content } of ordered) {
    const last = turns.at(-1)
    if (last?.role === role) turns[turns.length - 1] = { role, content: `${last.content}\n\n${content}` }
    else turns.push({ role, content })
  }
  return turns
}
