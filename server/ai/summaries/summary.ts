import { z } from 'zod'
import { entityTexts } from '../inputs/entity-text.ts'
import { inputEntities } from '../inputs/input-entities.ts'
import { onlyWith } from '../operations/only-with.ts'
import { defineOperation } from '../operations/operation.ts'
import { PERSPECTIVES, SUMMARY_TYPES } from './perspectives.ts'
import { summarise } from './summarise.ts'
import { oneToTenEntities, ownWords, refresh, summaryResult } from './summary-body.ts'

const plain = z.object({
  entities: oneToTenEntities,
  summary_type: z.enum(SUMMARY_TYPES),
  summary_context_question: ownWords(2_000).describe('What the summary answers. Only with `contextual`.'),
  custom_summary_content_instruction: ownWords(5_000).describe('What the summary says. Only with `custom`.'),
  refresh,
})

const body = onlyWith(plain, [
  { fields: ['summary_context_question'], other: 'summary_type', value: 'contextual' },
  { fields: ['custom_summary_content_instruction'], other: 'summary_type', value: 'custom' },
])

export const summary = defineOperation({
  name: 'summary',
  feature: 'ai_intel_summary',
  doc: 'Summarise up to ten entities together',
  body,
  example: {
    entities: ['0198c0de-0000-7000-8000-000000000001'],
    summary_type: 'contextual',
    summary_context_question: 'Does this concern hospitals?',
  },
  result: summaryResult.extend({ summary: z.string() }),
  run: async function* (ctx, assistant, input) {
    const entities = await inputEntities(ctx, 'data.entities', input.entities)
    assistant.admit(entities)
    return yield* summarise(ctx, assistant, {
      operation: 'summary',
      task:
        'You summarise cyber threat intelligence from several entities as one text of at most five short paragraphs of plain text, without ' +
        `headings. ${PERSPECTIVES[input.summary_type]}`,
      question: input.summary_context_question ?? input.custom_summary_content_instruction,
      texts: await entityTexts(ctx, entities, 'An entity'),
      maxTokens: 1_200,
      isRefreshed: input.refresh,
    })
  },
})
