import type { Context } from '../../engine/context.ts'
import type { Ready } from '../asking/ready.ts'
import { reserve, settle } from '../asking/usage.ts'
import { embed } from '../calling/embed.ts'
import { cleaned } from '../prompting/untrusted.ts'

/** Longer than a working provider takes for a batch, and shorter than a lease. */
const MOST_MS = 60_000

/** The vectors of texts, counted as usage of the caller. Fails with a `CallError`, or an `ApiError` if a budget is used up. */
export async function askForVectors(
  ctx: Context,
  ready: Ready,
  texts: readonly string[],
  entities: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const sent = texts.map((text) => cleaned(text).trim() || '-')
  const messages = sent.map((content) => ({ role: 'user' as const, content }))
  const counted = await reserve(ctx, ready, { messages, mostAnswer: 0 }, entities)
  let outcome: 'aborted' | 'error' | 'success' = 'error'
  try {
    const vectors = await embed(
      ready.endpoint,
      ready.model,
      sent,
      AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]),
    )
    outcome = 'success'
    return vectors
  } catch (error) {
    if (signal.aborted) outcome = 'aborted'
    throw error
  } finally {
    await settle(ctx, ready, counted, outcome, { prompt: null, answer: 0 }, 0)
  }
}
