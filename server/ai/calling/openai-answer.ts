import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { CallError } from './call-error.ts'
import type { Said } from './dialect.ts'
import { failureInAnswer } from './failures.ts'
import type { StopReason, WebSource } from './question.ts'
import { textsOf } from './texts.ts'

/** Text, or its parts: some reasoning models put their thoughts into parts of another type. */
const content = z.union([
  z.string(),
  z.array(z.object({ text: z.string().nullish() })).transform((parts) => parts.map(({ text }) => text ?? '').join('')),
])
const text = z.string().nullish()
const message = z.object({ content: content.nullish(), refusal: text }).nullish()
const chunk = z.object({
  choices: z.array(z.object({ delta: message, message, finish_reason: text })).nullish(),
  usage: z.object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
  search_results: z.array(z.object({ url: z.string(), title: text, date: text })).nullish(),
  citations: z.array(z.string()).nullish().catch(null),
  error: z.unknown().optional(),
  object: z.unknown().optional(),
})
type Chunk = z.output<typeof chunk>

/** What the chunks of an answer have said so far. */
interface Progress {
  reason: StopReason | undefined
  usage: NonNullable<Chunk['usage']>
  sources: readonly WebSource[]
}

/** A server-sent event. */
interface Event {
  readonly event?: string | undefined
  readonly data: string
}

/** Reads an answer. Servers that do not stream send one document, and not all of them name the right type. */
export async function* readOpenaiChat(body: AsyncIterable<Buffer>): AsyncGenerator<Said> {
  const progress: Progress = { reason: undefined, usage: {}, sources: [] }
  const waiting: Event[] = []
  const parser = createParser({ onEvent: (event) => void waiting.push(event) })
  let document = ''
  let isStream: boolean | undefined
  for await (const piece of textsOf(body)) {
    // Blank space before an answer is left out: a flood of it would be read again with each piece.
    const text = isStream === undefined ? piece.trimStart() : piece
    if (text === '') continue
    isStream ??= !'{[<'.includes(text.charAt(0))
    if (!isStream) {
      document += text
      continue
    }
    parser.feed(text)
    for (const event of waiting.splice(0)) {
      if (isLast(event)) return yield endOf(progress)
      yield* take(progress, event)
    }
  }
  if (!isStream) {
    yield* take(progress, { data: document })
    return yield endOf(progress)
  }
  // The last event may lack the empty line that ends it.
  parser.feed('\n\n')
  for (const event of waiting.splice(0)) if (!isLast(event) && isWhole(event)) yield* take(progress, event)
  // Some servers end without the last event, but not without a reason.
  if (progress.reason === undefined) throw new CallError("The provider's answer broke off.", 'down')
  yield endOf(progress)
}

const isWhole = ({ data }: Event): boolean => data.trimEnd().endsWith('}')

const isLast = ({ data }: Event): boolean => data.trim() === '[DONE]'

function* take(progress: Progress, { event, data }: Event): Generator<Said> {
  const { choices, usage, search_results, citations, error, object } = parsed(data)
  if (error !== undefined && error !== null) throw failureInAnswer(error)
  if (event === 'error' || object === 'error') throw failureInAnswer(JSON.parse(data))
  if (usage) progress.usage = usage
  if (search_results)
    progress.sources = search_results.map(({ url, title, date }) => ({ url, title: title ?? '', date: date ?? null }))
  else if (citations && progress.sources.length === 0)
    progress.sources = citations.map((url) => ({ url, title: '', date: null }))
  const choice = choices?.[0]
  const said = choice?.delta ?? choice?.message
  if (said?.refusal) progress.reason = 'refusal'
  if (choice?.finish_reason === 'error') throw failureInAnswer({})
  if (choice?.finish_reason) progress.reason ??= reasonOf(choice.finish_reason)
  if (said?.content) yield { text: said.content }
}

function parsed(data: string): Chunk {
  try {
    return chunk.parse(JSON.parse(data))
  } catch {
    throw new CallError("The provider's answer is not in the format of this kind of provider.", 'malformed')
  }
}

const reasonOf = (reason: string): StopReason =>
  reason === 'length' ? 'length' : reason === 'content_filter' ? 'refusal' : 'stop'

const endOf = ({ reason = 'stop', usage, sources }: Progress): Said => ({
  ending: {
    reason,
    usage: { prompt: usage.prompt_tokens ?? null, answer: usage.completion_tokens ?? null },
    sources,
  },
})
