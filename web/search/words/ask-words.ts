import { askAi } from '../../ai/ask-ai.ts'
import type { Made } from '../../ai/made.ts'
import type { Searched } from '../filters.ts'

/** A part of a question that is not in the query. */
export interface LeftOut {
  readonly clause: string
  readonly reason: string
}

/** A query for a question, which has not run yet. */
export interface Translated extends Made {
  /** Null if nothing in the question can be searched for. */
  readonly query: string | null
  readonly explanation: string
  readonly total_count: number | null
  readonly dropped: readonly LeftOut[]
  readonly corrected: readonly LeftOut[]
}

/** Asks for the query of a question. */
export const askInWords = (question: string, searched: Searched, signal: AbortSignal): Promise<Translated> =>
  askAi<Translated>('nlp-to-search', { query: question, resource: searched, include_prompt: true }, { signal })
