import { z } from 'zod'
import type { Context, Item } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import type { Id } from '../../engine/reference.ts'
import { resourceOf } from '../../engine/select.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { idOf } from '../../intelligence/relational/step-fields.ts'
import { shownTitle } from '../grounding/shown-title.ts'
import { unverifiedValues } from '../grounding/unverified-values.ts'
import { withoutLinks } from '../grounding/without-links.ts'
import { ENTITY_FIELDS, type EntityField, entityTexts } from '../inputs/entity-text.ts'
import { type InputEntity, inputEntities } from '../inputs/input-entities.ts'
import { relatedEntities } from '../inputs/related-entities.ts'
import { condensed } from '../operations/condensed.ts'
import { defineOperation } from '../operations/operation.ts'
import { aboutMark, newMark, untrusted, withoutUnseen } from '../prompting/untrusted.ts'
import { GROUND_RULES } from '../summaries/summarise.ts'
import { oneToTenEntities, unverifiedValue } from '../summaries/summary-body.ts'

/** How many related entities are read if the prompt does not say, and at most. */
const [DEFAULT_RELATED, MAX_RELATED] = [10, 50]
const MAX_TOKENS = 4_000
/** Words of some languages are several tokens long. */
const TOKENS_PER_WORD = 4

const unverified = unverifiedValue.extend({ field: z.enum(['title', 'content']) })

export const contentGeneration = defineOperation({
  name: 'content-generation',
  feature: 'ai_content_generation',
  doc: 'Write about up to ten entities with a prompt',
  body: z.object({ entities: oneToTenEntities, content_prompt: idOf('content_generation_prompts') }),
  example: { entities: ['0198c0de-0000-7000-8000-000000000001'], content_prompt: 1 },
  result: z.object({
    title: z.string(),
    content: z.string().describe('Markdown.'),
    unverified_values: z.array(unverified),
    is_cut_off: z.boolean().describe('Whether the model stopped at its maximum length.'),
  }),
  run: async function* (ctx, assistant, input) {
    const entities = await inputEntities(ctx, 'data.entities', input.entities)
    const prompt = await promptFor(ctx, input.content_prompt, entities)
    const related = prompt.include_related_entities
      ? await relatedEntities(
          ctx,
          input.entities,
          Math.min(prompt.max_related_entities ?? DEFAULT_RELATED, MAX_RELATED),
        )
      : []
    assistant.admit([...entities, ...related])
    const fields = prompt.entity_fields.length > 0 ? prompt.entity_fields : ENTITY_FIELDS
    const texts = [
      ...(await entityTexts(ctx, entities, 'An entity', fields)),
      ...(related.length > 0 ? await entityTexts(ctx, related, 'A related entity', fields) : []),
    ]
    const words = prompt.limit_content_length ? prompt.content_length : null
    const wishes = [
      prompt.content_prompt,
      `Form: ${prompt.formatting_prompt}`,
      `Write in this language: ${prompt.target_language}.`,
      ...(words ? [`Write at most ${words} words.`] : []),
    ]
    const read = yield* condensed(assistant, texts, prompt.content_prompt)
    yield { event: 'progress', data: { step: 'writing', done: 0, total: 1 } }
    const mark = newMark()
    const messages = [
      { role: 'system' as const, content: `${TASK} ${GROUND_RULES} ${aboutMark(mark)}` },
      ...read.texts.map((text) => untrusted(mark, text)),
      { role: 'user' as const, content: wishes.join('\n') },
    ]
    const maxTokens = words ? Math.min(MAX_TOKENS, words * TOKENS_PER_WORD + 200) : MAX_TOKENS
    const made = await assistant.data({ messages, maxTokens }, 'content', answer)
    const [title, content] = [shownTitle(made.title), withoutLinks(withoutUnseen(made.content)).trim()]
    const given = [...texts.map(({ text }) => text), ...wishes]
    return {
      title,
      content,
      unverified_values: [
        ...unverifiedValues(title, given).map((value) => ({ field: 'title' as const, ...value })),
        ...unverifiedValues(content, given).map((value) => ({ field: 'content' as const, ...value })),
      ],
      is_cut_off: read.isCutOff,
    }
  },
})

const TASK =
  'You write texts about cyber threat intelligence. The title is one short line of plain text. The content is Markdown without links and images.'

const answer = z.object({
  title: z.string().trim().min(1).max(500).check(refuseUnstorable),
  content: z.string().trim().min(1).check(refuseUnstorable),
})

interface Prompt {
  readonly content_prompt: string
  readonly formatting_prompt: string
  readonly target_language: string
  readonly entity_types: readonly string[]
  readonly entity_fields: readonly EntityField[]
  readonly include_related_entities: boolean
  readonly max_related_entities: number | null
  readonly limit_content_length: boolean
  readonly content_length: number | null
  readonly is_enabled: boolean
  readonly name: string
}

/** The prompt that a request names. It must be enabled and meant for the types of all entities. */
async function promptFor(ctx: Context, id: Id, entities: readonly InputEntity[]): Promise<Prompt> {
  const [row] = await fetchRows(ctx, resourceOf(ctx, 'content_generation_prompts'), [id])
  if (!row) throw badRequest(`data.content_prompt: there is no '${id}' in content_generation_prompts.`)
  const prompt = row as Item as unknown as Prompt
  if (!prompt.is_enabled) throw badRequest(`data.content_prompt: the prompt '${prompt.name}' is disabled.`)
  const faults = entities.flatMap(({ id: entity, type }) =>
    prompt.entity_types.length === 0 || prompt.entity_types.includes(type)
      ? []
      : [
          `data.entities: '${entity}' is a ${type}; the prompt '${prompt.name}' is for ${prompt.entity_types.join(', ')}.`,
        ],
  )
  if (faults.length > 0) throw badRequest(faults)
  return prompt
}
