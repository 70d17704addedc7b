import { z } from 'zod'
import type { Dialect } from './dialect.ts'
import type { Manner } from './manner.ts'
import { readOpenaiChat } from './openai-answer.ts'
import { answerLimit, type Form } from './question.ts'

/** What differs between the servers that speak the format of OpenAI, apart from the manner. */
interface Flavour extends Pick<Dialect, 'chatPath' | 'embedPath' | 'listPath' | 'rootOf' | 'unlisted'> {
  /** Whether it searches the web unless it is told not to, which would send others what is asked. */
  readonly searchesWeb?: boolean
}

const TEMPERATURE = 0.2

export const openaiDialect = ({ searchesWeb = false, ...paths }: Flavour, manner: Manner): Dialect => ({
  ...paths,
  manner,
  chatBody: (model, question, { strictness, asksUsage, hasTemperature, limitName, leavesRoom }) => ({
    model,
    messages: question.messages,
    stream: true,
    [limitName]: leavesRoom ? answerLimit(question) : question.maxTokens,
    ...(hasTemperature && { temperature: TEMPERATURE }),
    ...(asksUsage && { stream_options: { include_usage: true } }),
    ...(searchesWeb && !question.usesWeb && { disable_search: true }),
    ...(question.form && formatOf(question.form, strictness)),
  }),
  readChat: readOpenaiChat,
  embedBody: (model, texts) => ({ model, input: texts }),
  readVectors: (response) => {
    const read = vectors.safeParse(response)
    return read.success
      ? read.data.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding)
      : undefined
  },
})

function formatOf({ name, schema }: Form, strictness: Manner['strictness']): object {
  if (strictness === 'words') return {}
  if (strictness === 'json') return { response_format: { type: 'json_object' } }
  return { response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } } }
}

/** Perplexity sends vectors as bytes, one for each number. */
const bytes = z
  .string()
  .max(100_000)
  .transform((text) => [...new Int8Array(Buffer.from(text, 'base64'))])

const vectors = z.object({
  data: z.array(z.object({ index: z.int().default(0), embedding: z.union([z.array(z.number()), bytes]) })),
})
