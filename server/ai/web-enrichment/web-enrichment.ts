import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { toUrl } from '../../engine/reference.ts'
import { idOf } from '../../intelligence/relational/step-fields.ts'
import type { Assistant } from '../asking/assistant.ts'
import { type InputEntity, inputEntities } from '../inputs/input-entities.ts'
import { shortened } from '../operations/condensed.ts'
import { defineOperation } from '../operations/operation.ts'
import { aboutMark, newMark, untrusted } from '../prompting/untrusted.ts'
import { findPassages, type Passage } from '../retrieval/find-passages.ts'
import { checkedOutput, enrichmentChecks, enrichmentForm, enrichmentOutput } from './enrichment-output.ts'
import { type Source, webSources } from './sources.ts'

const MAX_PASSAGES = 10
const MAX_TOKENS = 4_000
/** The only provider that searches the web. */
export const SEARCHES_WEB = 'ai-provider-perplexity'

export const webEnrichment = defineOperation({
  name: 'web-enrichment',
  feature: 'ai_web_enrichment',
  doc: 'Tell what is known about an entity, with sources',
  body: z.object({ entity: idOf('entities') }),
  example: { entity: '0198c0de-0000-7000-8000-000000000001' },
  result: enrichmentOutput.extend({
    ...enrichmentChecks.shape,
    notes: z.array(z.string()).describe('What the result is based on, and what it lacks.'),
  }),
  run: async function* (ctx, assistant, { entity }) {
    const [read] = await inputEntities(ctx, 'data.entity', [entity])
    if (!read) throw new TypeError('The entity was not read.')
    assistant.admit([read])
    const isWeb = assistant.ready.provider === SEARCHES_WEB
    const passages = isWeb ? [] : await passagesFor(ctx, assistant, read)
    assistant.admit(passages.map(({ entity: each }) => each))
    const description = yield* shortened(assistant, read.description, 'tell what is known about this entity')
    const mark = newMark()
    const texts = passages.map(({ text }) => text)
    const messages = [
      { role: 'system' as const, content: `${isWeb ? FROM_WEB : FROM_PASSAGES} ${FORM} ${aboutMark(mark)}` },
      untrusted(mark, { name: `An entity of the type ${read.type}`, text: `${read.title}\n\n${description}` }),
      ...texts.map((text, i) => untrusted(mark, { name: `Passage ${i + 1}`, text })),
    ]
    const first = assistant.webSources.length
    const said = await assistant.data({ messages, maxTokens: MAX_TOKENS }, 'enrichment', enrichmentForm)
    const sources = isWeb
      ? webSources(assistant.webSources.slice(first))
      : passages.map((passage, i) => passageSource(ctx, passage, i + 1))
    const inputs = [read.title, read.description, ...texts]
    const { output, checks } = await checkedOutput(ctx, said, { sources, inputs, mark, isWeb })
    return { ...output, ...checks, notes: notesOn(isWeb, sources, assistant) }
  },
})

const FROM_WEB =
  'You search the web for what is publicly known about an entity of a threat intelligence platform, and tell an analyst.'
const FROM_PASSAGES =
  'You tell an analyst what is known about an entity of a threat intelligence platform. Use only the entity and the numbered passages; cite ' +
  'them as [1], [2].'
export const FORM =
  'Give a title, a description as a list of paragraphs, key highlights as short sentences, and related entities with their name, type and a ' +
  'short quote that names them, copied exactly from your sources or your description. Never write a URL that is not one of your sources. Say ' +
  'in the description what is not known.'

/** Passages about other entities that the provider may receive. */
async function passagesFor(
  ctx: Context,
  { ready }: Assistant,
  { id, title, tlp }: InputEntity,
): Promise<readonly Passage[]> {
  const { passages } = await findPassages(ctx, {
    query: title,
    limit: MAX_PASSAGES + 1,
    signal: ctx.signal ?? new AbortController().signal,
    ceiling: ready.ceiling,
    quotedTlp: tlp,
    feature: ready.feature,
  })
  return passages.filter(({ entity }) => entity.id !== id).slice(0, MAX_PASSAGES)
}

const passageSource = (ctx: Context, { entity }: Passage, n: number): Source => ({
  n,
  title: entity.title,
  url: null,
  entity: toUrl(ctx.baseUrl, 'entities', entity.id),
  date: null,
})

export function notesOn(isWeb: boolean, sources: readonly Source[], { ready }: Assistant): string[] {
  if (!isWeb)
    return [
      `No web search stands behind this result: ${ready.provider} cannot search the web, and was given intelligence of this platform only.`,
      ...(sources.length === 0 ? ['No other entity of this platform fits this one.'] : []),
    ]
  return sources.length === 0 ? ['The provider named no source for this result. Check it before you use it.'] : []
}
