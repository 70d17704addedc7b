import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { LANGUAGES } from '../../domain/languages.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { string } from '../../engine/field.ts'
import { idOf } from '../../intelligence/relational/step-fields.ts'
import type { Assistant } from '../asking/assistant.ts'
import { unverifiedValues } from '../grounding/unverified-values.ts'
import { inputEntities } from '../inputs/input-entities.ts'
import { defineOperation } from '../operations/operation.ts'
import { knownNames } from './known-names.ts'
import { assembled, type Outline, outlineOf } from './outline.ts'
import { type Protected, protectedText, restored } from './protected.ts'
import { translateSegments } from './translate.ts'

const FIELDS = ['title', 'description', 'short_description'] as const
type Field = (typeof FIELDS)[number]

const language = z.enum(LANGUAGES)

const body = z
  .object({
    text: string(1, 200_000).nullable().default(null).describe('Plain text, Markdown or HTML.'),
    entity: idOf('entities')
      .nullable()
      .default(null)
      .describe('The entity to translate, or that `text` belongs to, so that its TLP colour counts.'),
    fields: z
      .array(z.enum(FIELDS))
      .min(1)
      .max(FIELDS.length)
      .nullable()
      .default(null)
      .describe('The fields of the entity to translate; all by default.'),
    target_language: language,
    source_language: language.nullable().default(null),
  })
  .check(({ value: { text, entity, fields }, issues }) => {
    const fault = (path: string, message: string) => issues.push({ code: 'custom', input: null, path: [path], message })
    if (text === null && entity === null) fault('text', 'is required unless an entity is given')
    if (text !== null && fields !== null) fault('fields', 'must not be given with a text')
  })

export const translation = defineOperation({
  name: 'translation',
  feature: 'ai_translation',
  hasText: true,
  doc: 'Translate a text or an entity, with all values, names, code and markup unchanged',
  body,
  example: { text: 'The sample contacts 192.0.2[.]7.', target_language: 'German' },
  result: z.object({
    translation: z.string().nullable().describe('Of the text; null for an entity.'),
    fields: z.partialRecord(z.enum(FIELDS), z.string()).nullable().describe('Of the entity; null for a text.'),
    source_language: language.nullable().describe('As given, or as the model recognised it.'),
    target_language: language,
    placeholders: z.int().describe('How many values, names, tags and pieces of code were kept out of the translation.'),
    unverified_values: z
      .array(z.object({ field: z.enum(['text', ...FIELDS]), value: z.string(), start: z.int(), end: z.int() }))
      .describe('Values in the translation that the original does not contain.'),
  }),
  run: async function* (ctx, assistant, { text, entity, fields, target_language, source_language }) {
    const texts = await textsOf(ctx, assistant, text, entity, fields)
    const numbering = { token: randomBytes(3).toString('hex'), next: 1 }
    const documents: Document[] = []
    const segments: string[] = []
    const names = await knownNames(
      ctx,
      texts.map(({ original }) => original),
    )
    for (const [i, { field, original }] of texts.entries()) {
      const kept = protectedText(original, names[i] ?? [], numbering)
      const outline = outlineOf(kept.text, numbering.token)
      documents.push({ field, original, kept, outline, first: segments.length })
      segments.push(...outline.segments)
    }
    const { translations, language: source } = yield* translateSegments(assistant, {
      segments,
      token: numbering.token,
      tags: new Set(documents.flatMap(({ kept }) => [...kept.tags])),
      originals: new Map(documents.flatMap(({ kept }) => [...kept.originals])),
      target: target_language,
      source: source_language ?? undefined,
    })
    const made = documents.map(({ field, original, kept, outline, first }) => {
      const own = translations.slice(first, first + outline.segments.length)
      return { field, original, text: restored(assembled(outline, own), numbering.token, kept.originals) }
    })
    return {
      translation: text === null ? null : (made[0]?.text ?? ''),
      fields: text === null ? Object.fromEntries(made.map(({ field, text }) => [field, text])) : null,
      source_language: source,
      target_language,
      placeholders: numbering.next - 1,
      unverified_values: made.flatMap(({ field, original, text }) =>
        unverifiedValues(text, [original]).map((each) => ({ field, ...each })),
      ),
    }
  },
})

interface Document {
  readonly field: Field | 'text'
  readonly original: string
  readonly kept: Protected
  readonly outline: Outline
  /** The position of its first segment among those of all documents. */
  readonly first: number
}

async function textsOf(
  ctx: Context,
  assistant: Assistant,
  text: string | null,
  entity: string | number | null,
  fields: readonly Field[] | null,
): Promise<readonly { readonly field: Field | 'text'; readonly original: string }[]> {
  const read = entity === null ? [] : await inputEntities(ctx, 'data.entity', [entity])
  assistant.admit(read)
  if (text !== null) return [{ field: 'text', original: text }]
  const data = (read[0]?.row as { data?: Record<string, unknown> } | undefined)?.data ?? {}
  const texts = (fields ?? FIELDS).flatMap((field) => {
    const original = data[field]
    return typeof original === 'string' && original.trim() !== '' ? [{ field, original }] : []
  })
  if (texts.length === 0) throw badRequest('data.fields: the entity has no text in these fields.')
  return texts
}
