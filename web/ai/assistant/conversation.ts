import type { Citation, Made, UnverifiedValue } from '../made.ts'
import { strictestOf } from '../strictest.ts'

/** The page that a question is about. */
export interface PageContext {
  readonly entity?: string | undefined
  readonly search?: string | undefined
}

/** The result of the assistant. */
export interface ChatResult extends Made {
  readonly answer: string
  readonly citations: readonly Citation[]
  readonly notes: readonly string[]
  readonly unverified_values: readonly UnverifiedValue[]
  readonly is_semantic: boolean
}

/** A question and what became of it. */
export interface Turn {
  readonly id: number
  readonly question: string
  readonly context: PageContext
  readonly state: 'answering' | 'answered' | 'stopped' | 'failed'
  /** As far as it has arrived. */
  readonly answer: string
  readonly citations: readonly Citation[]
  readonly result?: ChatResult
  readonly error?: unknown
}

export const newTurn = (id: number, question: string, context: PageContext): Turn => ({
  id,
  question,
  context,
  state: 'answering',
  answer: '',
  citations: [],
})

/** The turn after an event of its stream. */
export function withEvent(turn: Turn, event: string, data: { readonly text?: string } & Partial<Citation>): Turn {
  if (event === 'token') return { ...turn, answer: turn.answer + (data.text ?? '') }
  if (event === 'citation') return { ...turn, citations: [...turn.citations, data as Citation] }
  return turn
}

/** What is sent for a question: also the turns before it that have an answer, as far as it goes. */
export const requestOf = (before: readonly Turn[], { question, context }: Pick<Turn, 'question' | 'context'>) => ({
  query: question,
  chat_history: before
    .filter(({ answer }) => answer !== '')
    .flatMap((turn) => [
      { role: 'user', content: turn.question },
      { role: 'assistant', content: turn.answer },
    ]),
  ...(context.entity !== undefined && { entity: context.entity }),
  ...(context.search !== undefined && { search: context.search }),
  include_prompt: true,
})

/** The colour of each turn: an answer may repeat those before it, so it is as restricted as the strictest of them. */
export function coloursOf(turns: readonly Turn[]): readonly (string | undefined)[] {
  let strictest = 'NONE'
  return turns.map(({ result }) => {
    if (!result) return undefined
    strictest = strictestOf([strictest, result.tlp_color])
    return strictest
  })
}
