import { z } from 'zod'
import { refuseUnstorable } from '../../engine/storable.ts'
import { idsOf } from '../../intelligence/relational/body-references.ts'
import { unverifiedValues } from '../grounding/unverified-values.ts'
import { entityTexts } from '../inputs/entity-text.ts'
import { inputEntities } from '../inputs/input-entities.ts'
import { defineOperation } from '../operations/operation.ts'
import { spoken } from '../operations/spoken.ts'
import { splitText } from '../prompting/split.ts'
import { aboutMark, newMark, untrusted } from '../prompting/untrusted.ts'
import { GROUND_RULES } from '../summaries/summarise.ts'
import { unverifiedValue } from '../summaries/summary-body.ts'

const MAX_TOKENS = 4_000
const MAX_CONTENT = 100_000
/** As many as a generation may have read. */
const MAX_ENTITIES = 60
/** The changed part must fit into an answer. */
const MAX_PART = 8_000

/** The text to refine, or an object with it, such as the result of a generation. */
const entityInfo = z
  .union([z.string(), z.record(z.string(), z.unknown())], {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a text or an object'),
  })
  .check(refuseUnstorable)
  .transform((info) => (typeof info === 'string' ? info : textOf(info)))
  .pipe(z.string().trim().min(1).max(MAX_CONTENT))

function textOf(info: Readonly<Record<string, unknown>>): string {
  const { title, content } = info
  if (typeof content !== 'string') return JSON.stringify(info, null, 1)
  return typeof title === 'string' ? `${title}\n\n${content}` : content
}

export const refineContent = defineOperation({
  name: 'content-generation/refine',
  feature: 'ai_content_generation',
  hasText: true,
  doc: 'Change generated content as a user asks',
  body: z.object({
    entity_info: entityInfo,
    user_query: z.string().trim().min(1).max(5_000).check(refuseUnstorable),
    entities: idsOf('entities', MAX_ENTITIES).describe(
      'What the content is about: their colour is that of the result.',
    ),
  }),
  example: { entity_info: 'Crows fly at night.', user_query: 'Shorter.' },
  result: z.object({
    refined_content: z.string().describe('Markdown.'),
    unverified_values: z.array(unverifiedValue),
    is_cut_off: z.boolean().describe('Whether the model stopped at its maximum length.'),
  }),
  run: async function* (ctx, assistant, { entity_info, user_query, entities }) {
    const read = await inputEntities(ctx, 'data.entities', entities)
    assistant.admit(read)
    const known = await entityTexts(ctx, read, 'An entity')
    const parts = splitText(entity_info, MAX_PART)
    const refined: string[] = []
    let isCutOff = false
    // Each part is changed on its own, so that none is longer than a model can read and write.
    for (const [index, part] of parts.entries()) {
      if (parts.length > 1) yield { event: 'progress', data: { step: 'writing', done: index, total: parts.length } }
      const mark = newMark()
      const messages = [
        { role: 'system' as const, content: `${TASK} ${GROUND_RULES} ${aboutMark(mark)}` },
        untrusted(mark, {
          name: `The text${parts.length > 1 ? `, part ${index + 1} of ${parts.length}` : ''}`,
          text: part,
        }),
        { role: 'user' as const, content: `Change the text like this: ${user_query}` },
      ]
      const made = yield* spoken(assistant, { messages, maxTokens: MAX_TOKENS, mark })
      isCutOff ||= made.isCutOff
      refined.push(made.text)
    }
    const refined_content = refined.join('\n\n')
    const given = [entity_info, user_query, ...known.map(({ text }) => text)]
    return { refined_content, unverified_values: unverifiedValues(refined_content, given), is_cut_off: isCutOff }
  },
})

const TASK =
  'You change a text about cyber threat intelligence as the analyst asks, and answer with the whole changed text and nothing else. It is ' +
  'Markdown without links and images.'
