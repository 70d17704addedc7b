import { z } from 'zod'
import { idOf } from '../../intelligence/relational/step-fields.ts'
import { entityTexts } from '../inputs/entity-text.ts'
import { oneInputEntity } from '../inputs/input-entities.ts'
import { defineOperation } from '../operations/operation.ts'
import { summarise } from './summarise.ts'
import { refresh, summaryResult } from './summary-body.ts'

export const quickSummary = defineOperation({
  name: 'quick-summary',
  feature: 'ai_intel_summary',
  doc: 'Summarise an entity in a few sentences',
  body: z.object({ entity: idOf('entities'), refresh }),
  example: { entity: '0198c0de-0000-7000-8000-000000000001' },
  result: summaryResult.extend({ summary: z.string() }),
  run: async function* (ctx, assistant, input) {
    const entities = await oneInputEntity(ctx, 'data.entity', input.entity)
    assistant.admit(entities)
    return yield* summarise(ctx, assistant, {
      operation: 'quick-summary',
      task: 'You summarise cyber threat intelligence for an analyst in at most four sentences of plain text.',
      texts: await entityTexts(ctx, entities, 'An entity'),
      maxTokens: 400,
      isRefreshed: input.refresh,
    })
  },
})
