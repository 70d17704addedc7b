import { useCallback, useEffect, useRef, useState } from 'react'
import { askAi } from '../ask-ai.ts'
import { type ChatResult, newTurn, type PageContext, requestOf, type Turn, withEvent } from './conversation.ts'

export interface Conversation {
  readonly turns: readonly Turn[]
  readonly isAnswering: boolean
  ask(question: string, context: PageContext): void
  /** Asks the last question again. */
  retry(): void
  stop(): void
  clear(): void
}

/** A conversation with the assistant. It is kept while the user moves from page to page, and ends with the session. */
export function useConversation(): Conversation {
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const running = useRef<AbortController>(undefined)
  const nextId = useRef(1)
  useEffect(() => () => running.current?.abort(), [])

  const run = useCallback(async (before: readonly Turn[], question: string, context: PageContext) => {
    const turn = newTurn(nextId.current++, question, context)
    const controller = new AbortController()
    const change = (make: (current: Turn) => Turn) =>
      setTurns((all) => all.map((each) => (each.id === turn.id ? make(each) : each)))
    running.current?.abort()
    running.current = controller
    setTurns([...before, turn])
    try {
      const result = await askAi<ChatResult>('chat', requestOf(before, turn), {
        signal: controller.signal,
        onEvent: ({ event, data }) => change((current) => withEvent(current, event, data)),
      })
      const { answer, citations } = result
      change((current) => ({ ...current, state: 'answered', answer, citations, result }))
    } catch (error) {
      change((current) =>
        controller.signal.aborted ? { ...current, state: 'stopped' } : { ...current, state: 'failed', error },
      )
    }
  }, [])

  const last = turns.at(-1)
  return {
    turns,
    isAnswering: last?.state === 'answering',
    ask: (question, context) => void run(turns, question, context),
    retry: () => last && void run(turns.slice(0, -1), last.question, last.context),
    stop: () => running.current?.abort(),
    clear: () => {
      running.current?.abort()
      setTurns([])
    },
  }
}
