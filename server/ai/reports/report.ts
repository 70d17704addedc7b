import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { ApiError } from '../../engine/errors.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { idsOf, READ_OBSERVABLES } from '../../intelligence/relational/body-references.ts'
import type { Assistant } from '../asking/assistant.ts'
import { shownTitle } from '../grounding/shown-title.ts'
import { unverifiedInHtml } from '../grounding/unverified-in-html.ts'
import { unverifiedValues } from '../grounding/unverified-values.ts'
import { entityTexts } from '../inputs/entity-text.ts'
import { inputEntities } from '../inputs/input-entities.ts'
import { inputObservables } from '../inputs/input-observables.ts'
import { condensed } from '../operations/condensed.ts'
import { onlyWith } from '../operations/only-with.ts'
import { defineOperation, type Progress } from '../operations/operation.ts'
import { aboutMark, newMark, type Untrusted, untrusted } from '../prompting/untrusted.ts'
import { type Cached, cached } from '../summaries/cached.ts'
import { PERSPECTIVES, REPORT_TYPES } from '../summaries/perspectives.ts'
import { GROUND_RULES } from '../summaries/summarise.ts'
import { oneToTenEntities, ownWords, refresh, summaryResult, unverifiedValue } from '../summaries/summary-body.ts'
import { safeHtml } from './safe-html.ts'

const MAX_TOKENS = 4_000
const MAX_TEMPLATE = 20_000

const plain = z.object({
  entities: oneToTenEntities,
  summary_type: z.enum(REPORT_TYPES),
  observables: idsOf('observables', 20),
  report_title: ownWords(500),
  custom_report_template: ownWords(MAX_TEMPLATE).describe('HTML that the report follows. Only with `custom`.'),
  custom_summary_content_instruction: ownWords(5_000).describe('What the report says. Only with `custom`.'),
  refresh,
})

const body = onlyWith(plain, [
  { fields: ['custom_report_template', 'custom_summary_content_instruction'], other: 'summary_type', value: 'custom' },
])

type Input = z.output<typeof plain>

const unverified = unverifiedValue.extend({ field: z.enum(['title', 'description']) })

export const report = defineOperation({
  name: 'report',
  feature: 'ai_intel_summary',
  doc: 'Write a report on up to ten entities',
  body,
  example: {
    entities: ['0198c0de-0000-7000-8000-000000000001'],
    summary_type: 'strategic',
    report_title: 'Crows at night',
  },
  result: summaryResult.extend({
    title: z.string(),
    description: z.string().describe('HTML without links, images, styles and scripts.'),
    unverified_values: z.array(unverified),
  }),
  guards: ({ observables }) => ['read entities', ...(observables.length > 0 ? [READ_OBSERVABLES] : [])],
  run: async function* (ctx, assistant, input) {
    const entities = await inputEntities(ctx, 'data.entities', input.entities)
    const observables = await inputObservables(ctx, 'data.observables', input.observables)
    assistant.admit([...entities, ...observables])
    const texts = await entityTexts(ctx, entities, 'An entity')
    if (observables.length > 0) {
      const text = observables.map(({ type, value }) => `${type}: ${value}`).join('\n')
      texts.push({ name: 'Observables that the report is about', text })
    }
    return yield* write(ctx, assistant, input, texts)
  },
})

interface Report {
  readonly title: string
  readonly description: string
  readonly unverified_values: readonly z.output<typeof unverified>[]
  readonly is_cut_off: boolean
}

async function* write(
  ctx: Context,
  assistant: Assistant,
  input: Input,
  texts: readonly Untrusted[],
): AsyncGenerator<Progress, Cached<Report>> {
  const { summary_type, report_title: title, custom_summary_content_instruction: instruction } = input
  const template = input.custom_report_template ? safeHtml(input.custom_report_template) : ''
  const wishes = [
    ...(title ? [`The title of the report is: ${title}`] : []),
    ...(instruction ? [`The analyst asks: ${instruction}`] : []),
    ...(template
      ? [`Fill in this template. Keep its elements and headings, and replace what it describes:\n${template}`]
      : []),
  ]
  const task = `You write a cyber threat intelligence report. ${PERSPECTIVES[summary_type]}`
  const material = { operation: 'report', task: [task, ...wishes].join('\n'), texts, isRefreshed: input.refresh }
  return yield* cached(ctx, assistant, material, async function* () {
    const read = yield* condensed(assistant, texts, [task, ...wishes].join(' '))
    yield { event: 'progress', data: { step: 'writing', done: 0, total: 1 } }
    const mark = newMark()
    const messages = [
      { role: 'system' as const, content: `${task} ${FORM} ${GROUND_RULES} ${aboutMark(mark)}` },
      ...read.texts.map((text) => untrusted(mark, text)),
      { role: 'user' as const, content: ['Write the report now.', ...wishes].join('\n') },
    ]
    const made = await assistant.data({ messages, maxTokens: MAX_TOKENS }, 'report', answer)
    const description = safeHtml(made.description)
    if (description === '') throw new ApiError(424, 'The report of the model is empty.')
    const heading = title ?? shownTitle(made.title)
    const given = [...texts.map(({ text }) => text), ...wishes]
    return {
      title: heading,
      description,
      unverified_values: [
        ...unverifiedValues(heading, given).map((value) => ({ field: 'title' as const, ...value })),
        ...unverifiedInHtml(description, given).map((value) => ({ field: 'description' as const, ...value })),
      ],
      is_cut_off: read.isCutOff,
    }
  })
}

const FORM =
  'The title is one short line of plain text. The description is the report as HTML of headings (h2, h3), paragraphs, lists and tables, without ' +
  'links, images, styles and scripts.'

const answer = z.object({
  title: z.string().trim().min(1).max(500).check(refuseUnstorable),
  description: z.string().trim().min(1).check(refuseUnstorable),
})
