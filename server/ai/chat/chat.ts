import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { string } from '../../engine/field.ts'
import { toUrl } from '../../engine/reference.ts'
import { idOf } from '../../intelligence/relational/step-fields.ts'
import type { Ready } from '../asking/ready.ts'
import type { Ending, Message } from '../calling/question.ts'
import { type AnswerPart, citationReader } from '../grounding/citations.ts'
import { nearestSentence } from '../grounding/nearest.ts'
import { unverifiedValues } from '../grounding/unverified-values.ts'
import { linkBreaker } from '../grounding/without-links.ts'
import { defineOperation, type Progress } from '../operations/operation.ts'
import { aboutMark, newMark, untrusted, withoutUnseen } from '../prompting/untrusted.ts'
import type { Passage } from '../retrieval/find-passages.ts'
import { admittedHistory, rememberAnswer } from './answer-sources.ts'
import { chatPassages } from './chat-passages.ts'
import { type Earlier, endOfHistory, historyMessages, searchedFor } from './history.ts'

const MAX_TOKENS = 1_500

const body = z.object({
  query: string(1, 10_000)
    .refine((text) => text.trim() !== '', 'must not be blank')
    .describe('The question.'),
  chat_history: z
    .array(z.object({ role: z.enum(['assistant', 'user']), content: string(0, 100_000) }))
    .max(1_000)
    .default([])
    .describe('The conversation so far, the oldest message first. Its end is used, as far as it fits into a prompt.'),
  entity: idOf('entities').nullish().describe('The entity that the question is about. It is the first source.'),
  search: string(0, 20_000).nullish().describe('A query in the search language. Its first results are sources.'),
})

const citation = z.object({
  n: z.int(),
  entity: z.string(),
  title: z.string(),
  quote: z.string().describe('The sentence of the source that is nearest to what the answer says.'),
})
type Citation = z.output<typeof citation>

const result = z.object({
  answer: z.string().describe('Markdown that a language model wrote. Citations such as [2] name the sources below.'),
  citations: z.array(citation),
  used_query: z.string().describe('What was searched for.'),
  model: z.string().nullable().describe('The model that answered; null if none was asked.'),
  is_semantic: z.boolean().describe('Whether passages were also found by their meaning, not by words alone.'),
  notes: z.array(z.string()).describe('What was left out, and why.'),
  unverified_values: z
    .array(z.object({ value: z.string(), start: z.int(), end: z.int() }))
    .describe('Addresses, hashes and the like in the answer that occur in no source.'),
})

/** What is too restricted for the provider is not searched, so that the answer must not sound as if there was nothing. */
const nothingFound = ({ ceiling, provider }: Ready): string =>
  `I found nothing about this in the intelligence that you can read${
    ceiling === 'RED' ? '' : ` and that ${provider} may receive (at most TLP:${ceiling})`
  }.`

/** Answers a question from what the caller can read, with citations. */
export const chat = defineOperation({
  name: 'chat',
  feature: 'ai_assistant',
  doc: 'Ask the assistant a question, which it answers from your intelligence with citations',
  body,
  example: { query: 'Which malware does Velvet Heron use?', chat_history: [] },
  result,
  run: async function* (ctx, assistant, input): AsyncGenerator<Progress, z.output<typeof result>> {
    const end = endOfHistory(input.chat_history)
    const used_query = searchedFor(input.query, end.history)
    const found = await chatPassages(ctx, assistant, { ...input, usedQuery: used_query })
    const { passages } = found
    const { history, notes } = await admittedHistory(ctx, assistant, end.history)
    const about = { used_query, is_semantic: found.isSemantic, notes: [...end.notes, ...notes, ...found.notes] }
    if (passages.length === 0) {
      const answer = nothingFound(assistant.ready)
      yield { event: 'token', data: { text: answer } }
      return { answer, citations: [], model: null, unverified_values: [], ...about }
    }
    const messages = messagesOf(input.query, history, passages)
    const citations = new Map<number, Citation>()
    let answer = ''
    let isCutOff = false
    try {
      for await (const part of partsOf(assistant.prose({ messages, maxTokens: MAX_TOKENS }), passages.length)) {
        if ('ending' in part) isCutOff = part.ending.reason === 'length'
        else if ('cited' in part) {
          const { n, claim } = part.cited
          const passage = passages[n - 1]
          if (!passage || citations.has(n)) continue
          const cited = citationOf(ctx, n, passage, claim)
          citations.set(n, cited)
          yield { event: 'citation', data: cited }
        } else {
          const text = answer === '' ? part.text.trimStart() : part.text
          if (text === '') continue
          answer += text
          yield { event: 'token', data: { text } }
        }
      }
    } finally {
      // Also of an answer that its reader stopped.
      await rememberAnswer(ctx, assistant.request, answer)
    }
    answer = answer.trimEnd()
    const texts = [...passages.map(textOf), input.query]
    return {
      answer,
      citations: [...citations.values()].toSorted((a, b) => a.n - b.n),
      model: assistant.ready.model,
      unverified_values: [...unverifiedValues(answer, texts)],
      ...about,
      notes: [
        ...about.notes,
        ...(isCutOff ? ['The model stopped at its maximum length: the answer is not complete.'] : []),
        ...(citations.size === 0 ? ['The answer cites no source.'] : []),
      ],
    }
  },
})

const textOf = ({ entity: { title }, text }: Passage): string => `${title}\n\n${text}`

const citationOf = ({ baseUrl }: Context, n: number, { entity, text }: Passage, claim: string): Citation => ({
  n,
  entity: toUrl(baseUrl, 'entities', entity.id),
  title: entity.title,
  quote: nearestSentence(text, claim) || entity.title,
})

/** The parts of an answer, without links, images and characters that its readers would not see, and how it ended. */
async function* partsOf(
  prose: AsyncGenerator<string, Ending>,
  passageCount: number,
): AsyncGenerator<AnswerPart | { readonly ending: Ending }> {
  const links = linkBreaker()
  const reader = citationReader(passageCount)
  try {
    for (;;) {
      const { done, value } = await prose.next()
      yield* reader.read(done ? links.end() : links.read(withoutUnseen(value)))
      if (!done) continue
      yield* reader.end()
      return yield { ending: value }
    }
  } finally {
    // A reader who leaves ends the call, too.
    await prose.return(undefined as never)
  }
}

function messagesOf(query: string, history: readonly Earlier[], passages: readonly Passage[]): Message[] {
  const mark = newMark()
  return [
    { role: 'system', content: `${INSTRUCTIONS} ${aboutMark(mark)}` },
    ...passages.map((passage, i) =>
      untrusted(mark, {
        name: `Passage [${i + 1}], from an entity of the type ${passage.entity.type}`,
        text: textOf(passage),
      }),
    ),
    ...historyMessages(mark, history),
    { role: 'user', content: query },
  ]
}

const INSTRUCTIONS =
  'You answer the question of a cyber threat intelligence analyst, which is the last message. Use only what the numbered passages say. ' +
  'After each statement, cite the passages that support it by their numbers, as in [1] or [1][3]. If the passages do not answer the ' +
  'question, say so. Copy addresses, hashes and names exactly. Answer briefly, in the language of the question, in Markdown without links, ' +
  'images and HTML.'
