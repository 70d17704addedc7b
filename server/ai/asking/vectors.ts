import type { Context } from '../../engine/context.ts'
import { CallError } from '../calling/call-error.ts'
import { embed } from '../calling/embed.ts'
import { cleaned } from '../prompting/untrusted.ts'
import { type Paid, reserve, settle } from './usage.ts'

interface Surroundings {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** The entities that the texts are from. */
  readonly entities?: readonly string[]
}

/** The vectors of texts, counted as usage of the caller. Fails with a `CallError`, or an `ApiError` if a budget is used up. */
export async function vectorsOf(
  ctx: Context,
  paid: Paid,
  texts: readonly string[],
  { signal, timeoutMs, entities = [] }: Surroundings,
): Promise<readonly (readonly number[])[]> {
  // Providers refuse empty texts.
  const sent = texts.map((text) => cleaned(text).trim() || '-')
  const messages = sent.map((content) => ({ content }))
  const counted = await reserve(ctx, paid, { messages, mostAnswer: 0 }, entities)
  const timeout = AbortSignal.timeout(timeoutMs)
  let outcome: 'aborted' | 'error' | 'success' = 'error'
  try {
    const vectors = await embed(paid.endpoint, paid.model, sent, AbortSignal.any([signal, timeout]))
    outcome = 'success'
    return vectors
  } catch (error) {
    if (signal.aborted) outcome = 'aborted'
    else if (timeout.aborted) throw new CallError('The provider took too long to respond.', 'slow', { cause: error })
    throw error
  } finally {
    await settle(ctx, paid, counted, outcome, { prompt: null, answer: 0 }, 0)
  }
}
