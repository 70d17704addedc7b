import type { Context } from '../../engine/context.ts'
import type { Assistant } from '../asking/assistant.ts'
import { unverifiedValues } from '../grounding/unverified-values.ts'
import { condensed } from '../operations/condensed.ts'
import type { Progress } from '../operations/operation.ts'
import { spoken } from '../operations/spoken.ts'
import { aboutMark, newMark, type Untrusted, untrusted } from '../prompting/untrusted.ts'
import { type Cached, cached } from './cached.ts'

interface Wanted {
  readonly operation: string
  /** What the model is, and what it writes. */
  readonly task: string
  /** What the caller asks for in their own words. */
  readonly question?: string | null | undefined
  readonly texts: readonly Untrusted[]
  readonly maxTokens: number
  readonly isRefreshed: boolean
}

interface Summary {
  readonly summary: string
  readonly unverified_values: ReturnType<typeof unverifiedValues>
  readonly is_cut_off: boolean
}

/** Summarises texts in prose, or gives an earlier summary of the same texts again. */
export async function* summarise(
  ctx: Context,
  assistant: Assistant,
  { operation, task, question, texts, maxTokens, isRefreshed }: Wanted,
): AsyncGenerator<Progress, Cached<Summary>> {
  const asked = question ? `${task} The analyst asks: ${question}` : task
  const made = yield* cached(ctx, assistant, { operation, task: asked, texts, isRefreshed }, async function* () {
    const input = yield* condensed(assistant, texts, asked)
    const mark = newMark()
    const messages = [
      { role: 'system' as const, content: `${task} ${GROUND_RULES} ${aboutMark(mark)}` },
      ...input.texts.map((text) => untrusted(mark, text)),
      ...(question ? [{ role: 'user' as const, content: `The analyst asks: ${question}` }] : []),
    ]
    const { text, isCutOff } = yield* spoken(assistant, { messages, maxTokens, mark })
    return {
      summary: text,
      unverified_values: unverifiedValues(text, [...texts.map((each) => each.text), question ?? '']),
      is_cut_off: isCutOff || input.isCutOff,
    }
  })
  if (made.is_cached) yield { event: 'token', data: { text: made.summary } }
  return made
}

/** What holds for everything that is written about entities. */
export const GROUND_RULES =
  'Use only what the data says, and write addresses, hashes and identifiers exactly as they are written there. If the data does not answer ' +
  'something, say so.'
