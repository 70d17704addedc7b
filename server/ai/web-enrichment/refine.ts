import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { toUrl } from '../../engine/reference.ts'
import { idOf } from '../../intelligence/relational/step-fields.ts'
import { inputEntities } from '../inputs/input-entities.ts'
import { shortened } from '../operations/condensed.ts'
import { defineOperation } from '../operations/operation.ts'
import { aboutMark, newMark, untrusted } from '../prompting/untrusted.ts'
import { checkedOutput, enrichmentChecks, enrichmentForm, enrichmentOutput } from './enrichment-output.ts'
import { type Source, webAddress, webSources } from './sources.ts'
import { FORM, notesOn, SEARCHES_WEB } from './web-enrichment.ts'

const MAX_TOKENS = 4_000
const list = z.array(string(0, 20_000)).max(50).default([])

/** A source as the enrichment returned it. */
const givenSource = z.object({
  n: z.int().min(1).max(10_000),
  title: string(0, 2_000).default(''),
  url: string(1, 3_000)
    .refine((url) => webAddress(url) !== undefined, 'must be an http or https URL')
    .nullable()
    .default(null),
  entity: idOf('entities').nullable().default(null),
  date: string(0, 100).nullable().default(null),
})

const given = z.object({
  title: string(0, 1_000).default(''),
  description: list,
  key_highlights: list,
  related_entities: z
    .array(z.object({ name: string(1, 500), quote: string(0, 2_000).default('') }))
    .max(100)
    .default([]),
  sources: z.array(givenSource).max(100).default([]),
  generated_by: z
    .object({ inputs: z.array(idOf('entities')).max(100).default([]) })
    .default({ inputs: [] })
    .describe('As the enrichment returned it, so that the TLP colours of its inputs count.'),
})

export const webEnrichmentRefinement = defineOperation({
  name: 'web-enrichment/refine',
  feature: 'ai_web_enrichment',
  hasText: true,
  doc: 'Change or extend an enrichment by a question or an instruction',
  body: z.object({
    enrichment_output: given.describe('The response of the enrichment, or an earlier `refinement_output`.'),
    chat_history: z.array(z.object({ role: z.enum(['assistant', 'user']), content: string(0, 20_000) })).max(50),
    user_query: string(1, 4_000),
  }),
  example: {
    enrichment_output: { title: 'Sable Heron', description: ['A group that targets energy suppliers.'] },
    chat_history: [],
    user_query: 'Make it shorter.',
  },
  result: z.object({
    refinement_output: enrichmentOutput,
    ...enrichmentChecks.shape,
    notes: z.array(z.string()),
  }),
  run: async function* (ctx, assistant, { enrichment_output: output, chat_history, user_query }) {
    const ids = [
      ...output.generated_by.inputs,
      ...output.sources.flatMap(({ entity }) => (entity === null ? [] : [entity])),
    ]
    const read = await inputEntities(ctx, 'data.enrichment_output.generated_by.inputs', [...new Set(ids)])
    assistant.admit(read)
    const isWeb = assistant.ready.provider === SEARCHES_WEB
    const before = textOf(output)
    const history = chat_history.map(({ role, content }) => `${role}: ${content}`).join('\n\n')
    const mark = newMark()
    const messages = [
      { role: 'system' as const, content: `${INSTRUCTION} ${FORM} ${aboutMark(mark)}` },
      untrusted(mark, { name: 'The result so far', text: yield* shortened(assistant, before, user_query) }),
      ...(history === ''
        ? []
        : [
            untrusted(mark, {
              name: 'The conversation so far',
              text: yield* shortened(assistant, history, user_query),
            }),
          ]),
      { role: 'user' as const, content: `What to change or add:\n${user_query}` },
    ]
    const first = assistant.webSources.length
    const said = await assistant.data({ messages, maxTokens: MAX_TOKENS }, 'enrichment', enrichmentForm)
    const known = output.sources.map((source): Source => ({ ...source, entity: urlOf(source.entity) }))
    const found = webSources(assistant.webSources.slice(first))
    // The numbers of the answer are those of its own search, if there was one.
    const sources = found.length > 0 ? found : known
    const inputs = [before, user_query, ...read.flatMap(({ title, description }) => [title, description])]
    const { output: refinement_output, checks } = await checkedOutput(ctx, said, { sources, inputs, mark, isWeb })
    return { refinement_output, ...checks, notes: notesOn(isWeb, sources, assistant) }

    function urlOf(id: string | number | null): string | null {
      return id === null ? null : toUrl(ctx.baseUrl, 'entities', id)
    }
  },
})

const INSTRUCTION =
  'You change a text about an entity of a threat intelligence platform as the last message asks. Use only what the result so far, its sources ' +
  'and the conversation say, unless you can search the web.'

const textOf = ({ title, description, key_highlights, related_entities, sources }: z.output<typeof given>): string =>
  [
    title,
    ...description,
    ...key_highlights.map((each) => `- ${each}`),
    ...related_entities.map(({ name, quote }) => `${name}: ${quote}`),
    ...sources.map(({ n, title: of, url }) => `[${n}] ${of} ${url ?? ''}`),
  ].join('\n\n')
