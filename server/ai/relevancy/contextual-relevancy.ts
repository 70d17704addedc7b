import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { conflict } from '../../engine/errors.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import { idOf } from '../../intelligence/relational/step-fields.ts'
import { readSetting } from '../../settings/setting.ts'
import { unverifiedValues } from '../grounding/unverified-values.ts'
import { inputEntities } from '../inputs/input-entities.ts'
import { defineOperation } from '../operations/operation.ts'
import { judge } from './judge.ts'
import { organizationProfile } from './organization-profile.ts'

const MAX_ENTITIES = 10
const LEVELS = ['none', 'low', 'medium', 'high'] as const

const body = z
  .object({
    entity: idOf('entities').nullable().default(null),
    entities: z.array(idOf('entities')).min(1).max(MAX_ENTITIES).nullable().default(null),
  })
  .check(({ value: { entity, entities }, issues }) => {
    const fault = (path: string, message: string) => issues.push({ code: 'custom', input: null, path: [path], message })
    if (entity === null && entities === null) fault('entity', 'is required unless entities are given')
    if (entity !== null && entities !== null) fault('entities', 'must not be given with an entity')
  })

export const contextualRelevancy = defineOperation({
  name: 'contextual-relevancy',
  feature: 'ai_contextual_relevancy',
  doc: 'Judge how relevant entities are to the organisation, with reasons',
  body,
  example: { entity: '0198c0de-0000-7000-8000-000000000001' },
  result: z.object({
    score: z.int().min(0).max(100),
    level: z.enum(LEVELS),
    reasons: z
      .array(
        z.object({
          text: z.string(),
          quote: z.string().describe('The exact text that supports the reason.'),
          entity: z.url().nullable().describe('The entity that contains the quote; null for the profile.'),
          unverified_values: z
            .array(z.object({ value: z.string(), start: z.int(), end: z.int() }))
            .describe('Values in the reason that neither the entities nor the profile contain.'),
        }),
      )
      .describe('Only reasons whose quote was found.'),
    dropped_reasons: z.int().describe('How many reasons were left out because their quote was not found.'),
    missing_profile: z.array(z.string()).describe('The fields of the organisation profile that are empty.'),
    notes: z.array(z.string()),
  }),
  run: async function* (ctx, assistant, { entity, entities }) {
    const { description, ...lists } = await profileOf(ctx)
    const profile = [
      ...Object.entries(lists).map(([name, values]) => `${name}: ${values.join(', ') || '-'}`),
      ...(description === '' ? [] : [description]),
    ].join('\n')
    const read = await readEntities(ctx, entity, entities)
    assistant.admit(read)
    const { score, reasons, dropped } = yield* judge(assistant, profile, read)
    // A score that nothing supports would look as if it were checked.
    const isSupported = score === 0 || reasons.length > 0
    const supported = isSupported ? score : 0
    const inputs = [profile, ...read.flatMap(({ title, description: text }) => [title, text])]
    const missing = Object.entries({ ...lists, description }).filter(([, value]) => value.length === 0)
    return {
      score: supported,
      level: levelOf(supported),
      reasons: reasons.map(({ text, quote, entity: id }) => ({
        text,
        quote,
        entity: id === null ? null : toUrl(ctx.baseUrl, 'entities', id),
        unverified_values: [...unverifiedValues(text, inputs)],
      })),
      dropped_reasons: dropped,
      missing_profile: missing.map(([name]) => name),
      notes: isSupported ? [] : [`The model gave a score of ${score}, but no reason that the texts support.`],
    }
  },
})

/** The profile; refused if nothing is in it. */
async function profileOf({ db }: Context) {
  const profile = await readSetting(db, organizationProfile)
  if (Object.values(profile).every(({ length }) => length === 0))
    throw conflict(
      'There is no organisation profile to compare with. An administrator can set it in the settings, or with ' +
        'PUT /configurations/organization-profile.',
    )
  return profile
}

function readEntities(ctx: Context, entity: Id | null, entities: readonly Id[] | null) {
  return entities === null
    ? inputEntities(ctx, 'data.entity', entity === null ? [] : [entity])
    : inputEntities(ctx, 'data.entities', entities)
}

function levelOf(score: number): (typeof LEVELS)[number] {
  if (score >= 70) return 'high'
  if (score >= 40) return 'medium'
  return score >= 10 ? 'low' : 'none'
}
