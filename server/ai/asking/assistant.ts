import type { z } from 'zod'
import { type Tlp, tlpRank } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { ApiError, conflict } from '../../engine/errors.ts'
import { CallError } from '../calling/call-error.ts'
import { chat } from '../calling/chat.ts'
import {
  answerLimit,
  CHARACTERS_PER_TOKEN,
  type Ending,
  type Message,
  type Question,
  type WebSource,
} from '../calling/question.ts'
import type { Feature } from '../features.ts'
import { formOf, valueIn, withForm } from './form.ts'
import type { InputObject } from './input-objects.ts'
import type { Ready } from './ready.ts'
import { reserve, settle } from './usage.ts'
import { withoutThoughts } from './without-thoughts.ts'

/** What was sent to a provider, and what it cost, to be shown to the user who asked. */
export interface Sent {
  readonly messages: readonly Message[]
  readonly prompt_tokens: number | null
  readonly answer_tokens: number | null
}

/** Asks the model of a feature on behalf of a caller. */
export interface Assistant {
  readonly ready: Ready
  /** The id of the last request in the usage record. */
  readonly request: string | undefined
  readonly sent: readonly Sent[]
  /** Refuses objects that are too restricted for the provider, naming them, and notes the others as inputs. */
  admit(objects: readonly InputObject[]): void
  /** Refuses a text that is too restricted for the provider. */
  admitText(colour: Tlp): void
  readonly textColour: Tlp
  readonly inputs: readonly InputObject[]
  /** The pages that the provider says it found on the web for the answers so far. */
  readonly webSources: readonly WebSource[]
  /** Takes over what was sent for an earlier answer that is given again. */
  recall(earlier: { readonly sent: readonly Sent[]; readonly at: string }): void
  /** When the answer was made, if it is an earlier one. */
  readonly recalledFrom: string | undefined
  /** Yields prose piece by piece. Fails if it is empty or a refusal; the ending says whether it was cut off. */
  prose(question: Omit<Question, 'form'>): AsyncGenerator<string, Ending>
  /** Asks for data. An answer of another form is sent back once to be repaired. */
  data<T>(question: Omit<Question, 'form'>, name: string, schema: z.ZodType<T>): Promise<T>
}

export function assistantOf(ctx: Context, ready: Ready, signal: AbortSignal): Assistant {
  const sent: Sent[] = []
  const inputs: InputObject[] = []
  const webSources: WebSource[] = []
  let textColour: Tlp = 'NONE'
  let recalledFrom: string | undefined
  let request: string | undefined

  async function* ask(asked: Question): AsyncGenerator<string, Ending> {
    const question = { ...asked, usesWeb: ready.feature === WEB_FEATURE }
    const ids = inputs.filter(({ kind }) => kind === 'entities').map(({ id }) => id)
    const expense = { messages: question.messages, mostAnswer: answerLimit(question) }
    const counted = await reserve(ctx, ready, expense, ids)
    request = counted.id
    let [outcome, length]: ['aborted' | 'error' | 'success', number] = ['aborted', 0]
    let { messages, usage }: Pick<Ending, 'messages' | 'usage'> = {
      messages: question.messages,
      usage: { prompt: null, answer: null },
    }
    const answer = chat(ready.endpoint, ready.model, question, signal)
    try {
      for (;;) {
        const { done, value } = await answer.next()
        if (done) {
          messages = value.messages
          usage = value.usage
          outcome = 'success'
          webSources.push(...value.sources)
          return value
        }
        length += value.length
        yield value
      }
    } catch (error) {
      if (!signal.aborted) outcome = 'error'
      throw signal.aborted ? signal.reason : refusalOf(error)
    } finally {
      // A reader who leaves ends the call.
      await answer.return(undefined as never)
      sent.push({ messages, prompt_tokens: usage.prompt, answer_tokens: usage.answer })
      await settle(ctx, ready, counted, outcome, usage, Math.ceil(length / CHARACTERS_PER_TOKEN))
    }
  }

  return {
    ready,
    sent,
    inputs,
    webSources,
    admit: (objects) => {
      const tooRestricted = objects.filter(({ tlp }) => tlpRank(tlp) > tlpRank(ready.ceiling))
      if (tooRestricted.length > 0)
        throw aboveCeiling(
          ready,
          tooRestricted.map(({ title, tlp }) => ({ title: `'${title}'`, tlp })),
        )
      const known = new Set(inputs.map(({ id }) => id))
      inputs.push(...objects.filter(({ id }) => !known.has(id)))
    },
    admitText: (colour) => {
      if (tlpRank(colour) > tlpRank(ready.ceiling)) throw aboveCeiling(ready, [{ title: 'the text', tlp: colour }])
      textColour = colour
    },
    get textColour() {
      return textColour
    },
    recall: (earlier) => {
      sent.push(...earlier.sent)
      recalledFrom = earlier.at
    },
    get request() {
      return request
    },
    get recalledFrom() {
      return recalledFrom
    },
    prose: (question) => answered(withoutThoughts(ask(question))),
    data: async (question, name, schema) => {
      const form = formOf(name, schema)
      const first = withForm(question.messages, form)
      let messages = first
      for (let round = 1; ; round++) {
        const { text, ending } = await whole(withoutThoughts(ask({ ...question, messages, form })))
        if (ending.reason === 'refusal') throw refused()
        const read = valueIn(text, schema)
        if ('value' in read) return read.value
        if (ending.reason === 'length') throw cutOff()
        if (round === 2) throw new ApiError(424, 'The answer of the model does not have the expected form.')
        messages = [...first, { role: 'assistant', content: text.slice(0, MAX_REPAIRED) || '-' }, repair(read.fault)]
      }
    },
  }
}

/** The only feature whose question may become a search on the web. */
const WEB_FEATURE: Feature = 'ai_web_enrichment'

const MAX_REPAIRED = 20_000

const refused = () => new ApiError(424, 'The model refused to answer.')
export const cutOff = (): ApiError => new ApiError(424, 'The answer of the model was cut off at its maximum length.')

const repair = (fault: string): Message => ({
  role: 'user',
  content: `This is not valid: ${fault}. Answer again, with the corrected JSON and nothing else.`,
})

/** No answer must not look like one. */
async function* answered(answer: AsyncGenerator<string, Ending>): AsyncGenerator<string, Ending> {
  let isEmpty = true
  try {
    for (;;) {
      const { done, value } = await answer.next()
      if (done) {
        if (value.reason === 'refusal') throw refused()
        if (isEmpty && value.reason === 'length') throw cutOff()
        if (isEmpty) throw new ApiError(424, 'The model gave no answer.')
        return value
      }
      isEmpty &&= value.trim() === ''
      yield value
    }
  } finally {
    await answer.return(undefined as never)
  }
}

async function whole(answer: AsyncGenerator<string, Ending>): Promise<{ text: string; ending: Ending }> {
  let text = ''
  for (;;) {
    const { done, value } = await answer.next()
    if (done) return { text, ending: value }
    text += value
  }
}

function aboveCeiling({ provider, ceiling }: Ready, objects: readonly Pick<InputObject, 'title' | 'tlp'>[]): ApiError {
  const named = objects.slice(0, 10).map(({ title, tlp }) => `${title} (TLP:${tlp})`)
  const more = objects.length > named.length ? ` and ${objects.length - named.length} more` : ''
  return conflict(`${provider} may receive at most TLP:${ceiling}. Too restricted: ${named.join(', ')}${more}.`)
}

/** A failed call is never an error of this server: 429 if the provider is busy, 424 otherwise. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof CallError)) return error
  const { kind, message, retryAfter } = error
  return new ApiError(kind === 'busy' ? 429 : 424, message, { ...(retryAfter !== undefined && { retryAfter }) })
}
