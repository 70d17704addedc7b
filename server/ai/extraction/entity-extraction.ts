import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { readNodes } from '../../attack/classification/nodes.ts'
import { toUrl } from '../../engine/reference.ts'
import { idOf } from '../../intelligence/relational/step-fields.ts'
import { analyseText, type FoundObservable } from '../../text-analysis/analyse-text.ts'
import { plainText, quotable } from '../grounding/quotes.ts'
import { inputEntities } from '../inputs/input-entities.ts'
import { defineOperation } from '../operations/operation.ts'
import { splitText } from '../prompting/split.ts'
import { newMark } from '../prompting/untrusted.ts'
import { PROVIDER_NAMES } from '../providers.ts'
import { type DropCounter, dropCounter } from './dropped.ts'
import { findExisting } from './find-existing.ts'
import { type GroundedEntity, groundEntities, mergedEntities, type Piece } from './ground-entities.ts'
import { type Answer, answerSchema, LABELS, messagesFor, USES } from './question.ts'
import { extractionResult } from './result.ts'
import { type SourceText, sourceTextOf } from './source-text.ts'
import { supportedAttacks } from './supported-attacks.ts'

export const EXTRACTION_LIMITS = {
  fields: 50,
  /** Characters of all texts together. */
  text: 300_000,
  /** Characters about which the model is asked at once. */
  piece: 10_000,
  /** Observables of a piece that the model labels. */
  labelled: 300,
}
const MAX_TOKENS = 4_000

const body = z.object({
  text: z
    .record(z.string().max(200), z.string())
    .refine((text) => Object.keys(text).length <= EXTRACTION_LIMITS.fields, {
      error: `must have at most ${EXTRACTION_LIMITS.fields} members`,
    })
    .refine((text) => lengthOf(text) <= EXTRACTION_LIMITS.text, {
      error: `must have at most ${EXTRACTION_LIMITS.text} characters`,
    })
    .refine((text) => Object.values(text).some((value) => value.trim() !== ''), { error: 'must contain text' })
    .describe('Texts by name, for example `title` and `description`.'),
  entity_id: idOf('entities')
    .nullish()
    .describe('The entity that the text is from. Its TLP colour decides which provider may receive the text.'),
  model: z.string().min(1).max(200).nullish().describe('Instead of the model of the feature.'),
  provider: z.enum(PROVIDER_NAMES).nullish().describe('Instead of the provider of the feature.'),
  refresh: z.boolean().default(false).describe('Accepted for compatibility: the model is asked with every request.'),
})

const lengthOf = (text: Readonly<Record<string, string>>): number =>
  Object.values(text).reduce((sum, value) => sum + value.length, 0)

export const entityExtraction = defineOperation({
  name: 'entity-extraction',
  feature: 'ai_entity_extraction',
  hasText: true,
  doc: 'Extract entities and observables from text, without storing anything',
  body,
  example: {
    text: { title: 'Cranes at banks', description: 'Silent Crane sent mails with a malicious sheet to banks.' },
  },
  result: extractionResult,
  guards: ['read entities', 'read extracts', 'read attack'],
  choose: ({ provider, model }) => ({ provider, model }),
  run: async function* (ctx, assistant, { text, entity_id }) {
    if (entity_id) assistant.admit(await inputEntities(ctx, 'data.entity_id', [entity_id]))
    const source = sourceTextOf(text)
    const analysis = await analyseText(ctx, source.text)
    const nodes = await readNodes(ctx)
    const drops = dropCounter()
    const mark = newMark()
    const ground = { source, mark, drops, attacksOf: supportedAttacks(nodes, analysis, drops) }
    const pieces = piecesOf(source, analysis.observables)
    const found: GroundedEntity[] = []
    const labels = new Map<string, Label>()
    for (const [done, piece] of pieces.entries()) {
      yield { event: 'progress', data: { done, total: pieces.length } }
      const messages = messagesFor(mark, piece)
      const answer = await assistant.data({ messages, maxTokens: MAX_TOKENS }, 'extraction', answerSchema)
      found.push(...groundEntities(ground, piece, answer))
      for (const [key, label] of labelsIn(piece, answer, drops)) labels.set(key, label)
      // Comparing with the text takes time.
      await setImmediate()
    }
    yield { event: 'progress', data: { done: pieces.length, total: pieces.length } }
    const existingOf = await findExisting(ctx, found)
    const known = found.map((entity) => ({ ...entity, existing: existingOf(entity) ?? null }))
    const entities = mergedEntities(known, ({ type, title, existing }) => existing ?? `${type} ${plainText(title)}`)
    const urlOf = (node: string) => toUrl(ctx.baseUrl, 'attacks', node)
    return {
      entities: entities.map(({ attacks, ...entity }) => ({
        ...entity,
        attacks: attacks.map(({ technique, name, nodes: places }) => ({ technique, name, attacks: places.map(urlOf) })),
      })),
      observables: analysis.observables.flatMap((observable) => {
        const offsets = source.offsetsOf(observable.start, observable.end)
        return offsets ? [presented(observable, offsets, labels.get(keyOf(observable)))] : []
      }),
      dropped: drops.counted(),
      notes: [...analysis.notes, ...notesOn(analysis.observables, pieces)],
    }
  },
})

interface Label {
  readonly label: (typeof LABELS)[number]
  readonly use: (typeof USES)[number] | null
}

const keyOf = ({ type, value }: { readonly type: string; readonly value: string }): string => `${type} ${value}`

/** The pieces of a text with the observables whose first occurrence is in them. Together they are the whole text. */
function piecesOf({ text }: SourceText, observables: readonly FoundObservable[]): Piece[] {
  let from = 0
  return splitText(text, EXTRACTION_LIMITS.piece).map((part) => {
    const to = from + part.length
    const within = observables.filter(({ start }) => start >= from && start < to)
    const piece = {
      text: part,
      from,
      quotable: quotable(part),
      observables: within.slice(0, EXTRACTION_LIMITS.labelled),
    }
    from = to
    return piece
  })
}

function labelsIn({ observables }: Piece, answer: Answer, { drop }: DropCounter): Map<string, Label> {
  const labels = new Map<string, Label>()
  for (const { number, label, use } of answer.observables) {
    const observable = observables[number - 1]
    if (!observable) drop('unknown observable')
    else
      labels.set(keyOf(observable), {
        label: LABELS.find((each) => each === label) ?? 'unknown',
        use: USES.find((each) => each === use) ?? null,
      })
  }
  return labels
}

const presented = (
  { type, value, sentence, isExcluded }: FoundObservable,
  offsets: NonNullable<ReturnType<SourceText['offsetsOf']>>,
  { label, use }: Label = { label: 'unknown', use: null },
) => ({ type, value, quote: sentence, offsets, is_excluded: isExcluded, label, use })

function notesOn(observables: readonly FoundObservable[], pieces: readonly Piece[]): string[] {
  const shown = pieces.reduce((sum, piece) => sum + piece.observables.length, 0)
  return shown < observables.length
    ? [
        `${observables.length - shown} of ${observables.length} observables were not shown to the model, and have no label.`,
      ]
    : []
}
