import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { idOf } from '../../intelligence/relational/step-fields.ts'
import type { Assistant } from '../asking/assistant.ts'
import { unverifiedValues } from '../grounding/unverified-values.ts'
import { withoutForeignLinks } from '../grounding/without-links.ts'
import { type InputEntity, inputEntities } from '../inputs/input-entities.ts'
import { shortened } from '../operations/condensed.ts'
import { defineOperation, type Progress } from '../operations/operation.ts'
import { spokenWhole } from '../operations/spoken.ts'
import { splitText } from '../prompting/split.ts'
import { aboutMark, newMark, untrusted } from '../prompting/untrusted.ts'
import { changesBetween } from './changes-between.ts'
import { PRESETS, type Preset } from './presets.ts'

/** Characters of the text that are rewritten at once. */
const PIECE_LENGTH = 8_000
const MIN_TOKENS = 1_000

const body = z
  .object({
    text: string(1, 100_000),
    instruction: string(1, 4_000)
      .nullable()
      .default(null)
      .describe('What to do with the text. Required without a preset.'),
    preset: z
      .enum(Object.keys(PRESETS) as [Preset, ...Preset[]])
      .nullable()
      .default(null),
    entity: idOf('entities').nullable().default(null).describe('The entity that the text belongs to.'),
  })
  .check(({ value: { instruction, preset }, issues }) => {
    if (instruction === null && preset === null)
      issues.push({ code: 'custom', input: null, path: ['instruction'], message: 'is required without a preset' })
  })

const place = { value: z.string(), start: z.int(), end: z.int() }

export const writingAssistant = defineOperation({
  name: 'writing-assistant',
  feature: 'ai_writing_assistant',
  hasText: true,
  doc: 'Rewrite a text by an instruction, with the changes one by one',
  body,
  example: { text: 'It conect to 192.0.2.7.', preset: 'correct' },
  result: z.object({
    text: z.string(),
    changes: z
      .array(z.object({ start: z.int(), end: z.int(), before: z.string(), after: z.string() }))
      .describe('What differs from the text that was sent, with offsets in it.'),
    unverified_values: z.array(z.object(place)).describe('Values that neither the text nor the instruction contains.'),
    lost_values: z
      .array(z.object(place))
      .describe('Values that are missing now, with offsets in the text that was sent.'),
  }),
  run: async function* (ctx, assistant, { text, instruction, preset, entity }) {
    const read = entity === null ? [] : await inputEntities(ctx, 'data.entity', [entity])
    assistant.admit(read)
    const wanted = [preset && PRESETS[preset].instruction, instruction].filter((each) => each !== null).join('\n')
    const isWhole = preset !== null && PRESETS[preset].isWhole
    const known = read[0] && contextOf(read[0])
    const context = known && (yield* shortened(assistant, known, wanted))
    const rewrite = yield* rewritten(
      assistant,
      isWhole ? yield* shortened(assistant, text, wanted) : text,
      wanted,
      context,
    )
    const made = withoutForeignLinks(rewrite, text)
    return {
      text: made,
      changes: changesBetween(text, made),
      // Notes on a long entity are no proof: the model wrote them, too.
      unverified_values: [...unverifiedValues(made, [text, wanted, known ?? ''])],
      lost_values: [...unverifiedValues(text, [made])],
    }
  },
})

const contextOf = ({ type, title, description }: InputEntity): string => `${title} (${type})\n\n${description}`

async function* rewritten(
  assistant: Assistant,
  text: string,
  instruction: string,
  context: string | undefined,
): AsyncGenerator<Progress, string> {
  const made: string[] = []
  const pieces = splitText(text, PIECE_LENGTH)
  for (const [i, piece] of pieces.entries()) {
    const mark = newMark()
    const answer = yield* spokenWhole(assistant, {
      messages: [
        { role: 'system', content: instructionFor(mark, i, pieces.length) },
        ...(context
          ? [untrusted(mark, { name: 'The entity that the text belongs to, for context only', text: context })]
          : []),
        untrusted(mark, { name: 'The text', text: piece }),
        { role: 'user', content: `What to do with the text:\n${instruction}` },
      ],
      maxTokens: Math.ceil(piece.length * 1.2) + MIN_TOKENS,
      mark,
    })
    made.push(betweenSpaces(piece, answer))
    yield { event: 'progress', data: { done: i + 1, total: pieces.length } }
  }
  return made.join('')
}

const instructionFor = (mark: string, i: number, count: number): string =>
  'You help an analyst of cyber threat intelligence to write. Do with the text what the last message says, and answer with the resulting ' +
  'text only, in the language of the text unless told otherwise, without an introduction. Keep its Markdown or HTML. Repeat addresses, ' +
  `domains, hashes, ids, file names and other values exactly as they are written, and add no others. ${aboutMark(mark)}` +
  (count > 1 ? ` The text is part ${i + 1} of ${count}; answer with this part only.` : '')

/** What was between the pieces of a text must be between the new ones. */
const betweenSpaces = (piece: string, text: string): string => {
  const start = piece.length - piece.trimStart().length
  return `${piece.slice(0, start)}${text}${piece.slice(Math.max(start, piece.trimEnd().length))}`
}
