import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { ApiError } from '../../engine/errors.ts'
import { toUrl } from '../../engine/reference.ts'
import { entityTypes } from '../../intelligence/entities/entity-data.ts'
import { findEntities } from '../../text-analysis/names/find-entities.ts'
import { tokensOf } from '../../text-analysis/names/tokens.ts'
import { cleanAnswer } from '../grounding/clean-answer.ts'
import { findQuote } from '../grounding/quotes.ts'
import { unverifiedValues } from '../grounding/unverified-values.ts'
import { onlySources, type Source } from './sources.ts'

/** What a model is asked for. */
export const enrichmentForm = z.object({
  title: z.string().max(1_000),
  description: z.array(z.string().max(20_000)).max(50),
  key_highlights: z.array(z.string().max(4_000)).max(50),
  related_entities: z
    .array(
      z.object({ name: z.string().min(1).max(500), type: z.enum(entityTypes), quote: z.string().min(1).max(2_000) }),
    )
    .max(100),
})
export type EnrichmentForm = z.output<typeof enrichmentForm>

/** What a response shows. */
export const enrichmentOutput = z.object({
  title: z.string(),
  description: z.array(z.string()).describe('Paragraphs in Markdown, which cite sources as `[1]`.'),
  key_highlights: z.array(z.string()),
  related_entities: z
    .array(
      z.object({
        name: z.string(),
        type: z.enum(entityTypes),
        quote: z.string().describe('The exact text that names it.'),
        entity: z.url().nullable().describe('The entity of this name, if there is one.'),
      }),
    )
    .describe('Only those with a quote that was found.'),
  sources: z.array(
    z.object({
      n: z.int(),
      title: z.string(),
      url: z.url().nullable(),
      entity: z.url().nullable(),
      date: z.string().nullable(),
    }),
  ),
})
export type EnrichmentOutput = z.output<typeof enrichmentOutput>

/** What was found to be without support, and left out or marked. */
export const enrichmentChecks = z.object({
  removed_urls: z.int().describe('How many URLs were removed because they are no source.'),
  dropped_entities: z.int().describe('How many related entities were left out because their quote was not found.'),
  unverified_values: z
    .array(z.object({ field: z.string(), value: z.string(), start: z.int(), end: z.int() }))
    .describe(
      'Values in a paragraph or highlight that nothing the model was given contains. `field` is, for example, `description.0`.',
    ),
})

/** Checks what a model said against what it was given. The web pages behind an answer are not known, so its own text may be quoted. */
export async function checkedOutput(
  ctx: Context,
  said: EnrichmentForm,
  {
    sources,
    inputs,
    mark,
    isWeb,
  }: { sources: readonly Source[]; inputs: readonly string[]; mark: string; isWeb: boolean },
): Promise<{ output: EnrichmentOutput; checks: z.output<typeof enrichmentChecks> }> {
  let removed_urls = 0
  const trimmed = (text: string): string => {
    const made = onlySources(cleanAnswer(text, mark), sources)
    removed_urls += made.removed
    return made.text
  }
  const lines = (texts: readonly string[]) => texts.map(trimmed).filter((text) => text !== '')
  const [title, description, key_highlights] = [
    trimmed(said.title),
    lines(said.description),
    lines(said.key_highlights),
  ]
  if (description.length === 0) throw new ApiError(424, 'The model gave no answer.')
  const quotable = isWeb ? [...inputs, ...description, ...key_highlights] : inputs
  const related = said.related_entities.flatMap(({ name, type, quote }) => {
    const text = findIn(quotable, quote)
    const shown = trimmed(name)
    return text !== undefined && shown !== '' && findQuote(text, name) ? [{ name: shown, type, quote: text }] : []
  })
  const checked = [
    { field: 'title', text: title },
    ...description.map((text, i) => ({ field: `description.${i}`, text })),
    ...key_highlights.map((text, i) => ({ field: `key_highlights.${i}`, text })),
  ]
  return {
    output: { title, description, key_highlights, related_entities: await known(ctx, related), sources: [...sources] },
    checks: {
      removed_urls,
      dropped_entities: said.related_entities.length - related.length,
      unverified_values: checked.flatMap(({ field, text }) =>
        unverifiedValues(text, [...inputs, ...sources.map(({ url, title: of }) => `${of} ${url}`)]).map((each) => ({
          field,
          ...each,
        })),
      ),
    },
  }
}

/** The exact text of a quote in one of these texts. */
function findIn(texts: readonly string[], quote: string): string | undefined {
  for (const text of texts) {
    const place = findQuote(text, quote)
    if (place) return text.slice(place.start, place.end)
  }
  return undefined
}

type Related = Omit<EnrichmentOutput['related_entities'][number], 'entity'>

/** Adds the entities of these names, as far as the caller sees them. */
async function known(ctx: Context, related: readonly Related[]): Promise<EnrichmentOutput['related_entities']> {
  const names = related.map(({ name }) => name).join('.\n')
  const { entities } = await findEntities(ctx, names, tokensOf(names))
  const urlOf = ({ name, type }: Related): string | null => {
    const found = entities.filter(({ mentions }) =>
      mentions.some(({ text }) => text.toLowerCase() === name.toLowerCase()),
    )
    const entity = found.find((each) => each.type === type) ?? found[0]
    return entity ? toUrl(ctx.baseUrl, 'entities', entity.id) : null
  }
  return related.map((each) => ({ ...each, entity: urlOf(each) }))
}
