import { z } from 'zod'
import { TLP, type Tlp, tlpRank } from '../../domain/tlp.ts'
import { FEATURES } from '../features.ts'
import { PROVIDER_NAMES } from '../providers.ts'

/** How something was made by a language model. */
export const generatedBy = z.object({
  feature: z.enum(FEATURES),
  provider: z.enum(PROVIDER_NAMES),
  model: z.string(),
  prompt_hash: z.string().nullable().describe('SHA-256 of the messages that were sent; null if none were.'),
  generated_at: z.string(),
  inputs: z.array(z.string()).describe('The ids of the objects that were sent.'),
})

export const sentSchema = z.object({
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })),
  prompt_tokens: z.number().nullable(),
  answer_tokens: z.number().nullable(),
})

/** What is made from several objects is as restricted as the most restricted of them. */
export const strictestOf = (colours: readonly Tlp[]): Tlp =>
  colours.reduce((strictest, tlp) => (tlpRank(tlp) > tlpRank(strictest) ? tlp : strictest), TLP[0])
