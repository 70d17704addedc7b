import { z } from 'zod'
import { CallError } from './call-error.ts'
import type { Dialect, Said } from './dialect.ts'
import { failureInAnswer } from './failures.ts'
import { answerLimit, type Question, tokensIn } from './question.ts'
import { linesOf } from './texts.ts'

const TEMPERATURE = 0.2
/** The context windows that are asked for. A larger one takes more memory of the server. */
const [MIN_CONTEXT, MAX_CONTEXT] = [8_192, 131_072]
/** How much longer than expected a prompt may be: lists of hashes have more tokens than prose. */
const MARGIN = 1.5

export const ollamaDialect: Dialect = {
  chatPath: '/api/chat',
  embedPath: '/api/embed',
  listPath: '/api/tags',
  // It ignores most of what it does not know.
  manner: {
    strictness: 'schema',
    asksUsage: false,
    separatesMessages: true,
    hasTemperature: false,
    forbidsThoughts: true,
    limitName: 'max_completion_tokens',
    leavesRoom: false,
  },
  chatBody: (model, question, { strictness, forbidsThoughts }) => ({
    model,
    messages: question.messages,
    stream: true,
    // Models that can think do so unless they are told not to, and a form would cut into their thoughts.
    ...(forbidsThoughts && { think: false }),
    // Newer servers then refuse a prompt that is too long. Older ones cut it from its start, and do not say so.
    truncate: false,
    shift: false,
    ...(question.form && strictness === 'schema' && { format: question.form.schema }),
    ...(question.form && strictness === 'json' && { format: 'json' }),
    // Without `num_ctx`, the context is the default of the server, however long the prompt is.
    options: { num_ctx: contextFor(question), num_predict: answerLimit(question), temperature: TEMPERATURE },
  }),
  readChat: async function* (body, question) {
    for await (const line of linesOf(body)) {
      const said = parsed(line)
      if (said.error !== undefined) throw failureInAnswer(said.error)
      if (said.done) refuseCut(said, question)
      if (said.message?.content) yield { text: said.message.content }
      if (said.done) return yield endOf(said)
    }
    throw new CallError("The provider's answer broke off.", 'down')
  },
  // The vector of the beginning of a text still finds it.
  embedBody: (model, texts) => ({ model, input: texts, truncate: true }),
  readVectors: (response) => {
    const read = vectors.safeParse(response)
    return read.success ? read.data.embeddings : undefined
  },
}

/** Room for the question and its answer, in powers of two, so that Ollama does not load the model for each question again. */
function contextFor(question: Question): number {
  const needed = tokensIn(question.messages) * MARGIN + answerLimit(question)
  return Math.min(Math.max(2 ** Math.ceil(Math.log2(needed)), MIN_CONTEXT), MAX_CONTEXT)
}

const vectors = z.object({ embeddings: z.array(z.array(z.number())) })

const line = z.object({
  message: z.object({ content: z.string().nullish() }).nullish(),
  done: z.boolean().default(false),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.number().nullish(),
  eval_count: z.number().nullish(),
  error: z.unknown().optional(),
})
type Line = z.output<typeof line>

function parsed(text: string): Line {
  try {
    return line.parse(JSON.parse(text))
  } catch {
    throw new CallError("The provider's answer is not in the format of this kind of provider.", 'malformed')
  }
}

/**
 * Refuses an answer to a prompt whose start was cut off, which is where our instructions are. A prompt that does not fit is cut to half
 * of the context and a few tokens. The context may be smaller than the one that was asked for, because models have a maximum.
 */
function refuseCut({ prompt_eval_count: count }: Line, question: Question): void {
  if (!count || count < 1) return
  const isFull = count >= contextFor(question) - 1
  const isHalf = count % 512 < 6 && count * 1.5 < tokensIn(question.messages)
  if (isFull || isHalf) throw new CallError('The text is too long for the context of the model.', 'too-long')
}

const endOf = ({ done_reason, prompt_eval_count, eval_count }: Line): Said => ({
  ending: {
    reason: done_reason === 'length' ? 'length' : 'stop',
    usage: { prompt: prompt_eval_count ?? null, answer: eval_count ?? null },
    sources: [],
  },
})
