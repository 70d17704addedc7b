import { z } from 'zod'
import type { Assistant } from '../asking/assistant.ts'
import { cleanAnswer } from '../grounding/clean-answer.ts'
import { findQuote } from '../grounding/quotes.ts'
import { withoutLinks } from '../grounding/without-links.ts'
import type { InputEntity } from '../inputs/input-entities.ts'
import type { Progress } from '../operations/operation.ts'
import { splitText } from '../prompting/split.ts'
import { aboutMark, newMark, untrusted } from '../prompting/untrusted.ts'

/** A reason with the exact text that supports it. */
export interface Reason {
  readonly text: string
  readonly quote: string
  /** The entity that contains the quote; null for the profile. */
  readonly entity: string | null
}

export interface Judgement {
  readonly score: number
  readonly reasons: readonly Reason[]
  /** Reasons whose quote is in none of the texts. */
  readonly dropped: number
}

/** Characters of entities that are judged at once. */
const PORTION_LENGTH = 10_000
const MAX_REASONS = 20
const MAX_TOKENS = 2_000

const answer = z.object({
  score: z.number().min(0).max(100),
  reasons: z
    .array(z.object({ text: z.string().min(1).max(2_000), quote: z.string().min(1).max(2_000) }))
    .max(MAX_REASONS),
})

interface Part {
  readonly entity: InputEntity
  readonly text: string
}

/** Judges entities, in portions if they are long. The most relevant portion decides on the score. */
export async function* judge(
  assistant: Assistant,
  profile: string,
  entities: readonly InputEntity[],
): AsyncGenerator<Progress, Judgement> {
  const reasons = new Map<string, Reason>()
  let [score, dropped] = [0, 0]
  const portions = portionsOf(entities)
  for (const [i, parts] of portions.entries()) {
    const mark = newMark()
    const messages = [
      { role: 'system' as const, content: `${INSTRUCTION} ${aboutMark(mark)}` },
      untrusted(mark, { name: 'The profile of the organisation', text: profile }),
      ...parts.map(({ entity: { type }, text }) => untrusted(mark, { name: `An entity of the type ${type}`, text })),
    ]
    const said = await assistant.data({ messages, maxTokens: MAX_TOKENS }, 'relevancy', answer)
    score = Math.max(score, Math.round(said.score))
    for (const { text, quote } of said.reasons) {
      const place = sourceOf(quote, profile, parts)
      if (!place) dropped++
      else
        reasons.set(`${place.entity} ${place.quote}`, { text: withoutLinks(cleanAnswer(text, mark)).trim(), ...place })
    }
    yield { event: 'progress', data: { done: i + 1, total: portions.length } }
  }
  return { score, reasons: [...reasons.values()], dropped }
}

const INSTRUCTION =
  'You judge how relevant cyber threat intelligence is to an organisation. You get the profile of the organisation and one or more entities. ' +
  'Give a score from 0 (nothing in common) to 100 (the organisation is a direct target), and at most five reasons for it, each with a short ' +
  'quote, copied exactly from one entity or from the profile. Give no reason without a quote, and no reasons for what is not relevant.'

/** Where a quote is, entities first. */
function sourceOf(
  quote: string,
  profile: string,
  parts: readonly Part[],
): { readonly quote: string; readonly entity: string | null } | undefined {
  const texts = [...parts.map(({ entity, text }) => ({ id: entity.id, text })), { id: null, text: profile }]
  for (const { id, text } of texts) {
    const place = findQuote(text, quote)
    if (place) return { quote: text.slice(place.start, place.end), entity: id }
  }
  return undefined
}

/** Packs the texts of entities into portions; a long one is divided. */
function portionsOf(entities: readonly InputEntity[]): Part[][] {
  const portions: Part[][] = []
  let length = 0
  for (const entity of entities)
    for (const piece of splitText(entity.description, PORTION_LENGTH)) {
      const text = `${entity.title}\n\n${piece}`
      const last = portions.at(-1)
      if (last && length + text.length <= PORTION_LENGTH) last.push({ entity, text })
      else {
        portions.push([{ entity, text }])
        length = 0
      }
      length += text.length
    }
  return portions
}
