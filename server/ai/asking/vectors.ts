import type { Context } from '../../engine/context.ts'
import { embed } from '../calling/embed.ts'
import { type Paid, reserve, settle } from './usage.ts'

/** The vectors of texts, counted as usage of the caller. Fails with a `CallError`. */
export async function vectorsOf(ctx: Context, paid: Paid, texts: readonly string[], signal: AbortSignal) {
  const messages = texts.map((content) => ({ content }))
  const counted = await reserve(ctx, paid, { messages, mostAnswer: 0 })
  let outcome: 'success' | 'error' = 'error'
  try {
    const vectors = await embed(paid.endpoint, paid.model, texts, signal)
    outcome = 'success'
    return vectors
  } finally {
    await settle(ctx, paid, counted, signal.aborted ? 'aborted' : outcome, { prompt: null, answer: 0 }, 0)
  }
}
