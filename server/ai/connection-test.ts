import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'
import { string } from '../engine/field.ts'
import type { Route } from '../engine/route.ts'
import { formOf, valueIn, withForm } from './asking/form.ts'
import { assignmentsIn, providerIn, type Records, readRecords, requireConsent } from './asking/ready.ts'
import { type Paid, reserve, settle } from './asking/usage.ts'
import { vectorsOf } from './asking/vectors.ts'
import { CallError } from './calling/call-error.ts'
import { chat } from './calling/chat.ts'
import { answerLimit, CHARACTERS_PER_TOKEN, type Ending, type Question } from './calling/question.ts'
import { isForEmbedding, listModels } from './models.ts'
import { PROVIDER_NAMES, type ProviderName, providers } from './providers.ts'

const model = string(1, 500).nullable().default(null)
const outcome = z.enum(['success', 'error'])
const body = z.object({
  type: z.enum(PROVIDER_NAMES),
  model: model.describe('By default, the model of a feature that uses the provider, or the first one that it lists.'),
  embedding_model: model.describe('By default, the selected one.'),
})
const check = z.object({
  name: z.enum(['models', 'chat', 'form', 'embedding']),
  status: outcome,
  model: z.string().nullable(),
  detail: z.string().describe('What works, or why it does not.'),
  milliseconds: z.int(),
})
type Check = z.output<typeof check>

/** A large model may have to be loaded first. */
const TIMEOUT_MS = 120_000

const testAction = defineAction({
  name: 'test_configuration_ai',
  doc: 'Configuration: ask a provider a short question and, if an embedding model is chosen, for a vector, and report what works',
  tag: 'configurations',
  method: 'POST',
  path: '/configurations/ai/test',
  permission: 'modify configurations',
  isDetached: true,
  body,
  example: { type: 'ai-provider-ollama' },
  result: z.object({ status: outcome, error_detail: z.string().nullable(), checks: z.array(check) }),
  refusals: [409],
  run: async (ctx, wanted) => {
    const records = await readRecords(ctx)
    requireConsent(records)
    const provider = providerIn(ctx, records, wanted.type)
    const { endpoint } = provider
    const chosen = chosenIn(records, wanted.type)
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const signal = ctx.signal ? AbortSignal.any([ctx.signal, timeout]) : timeout
    const checks: Check[] = []
    const attempt = async (name: Check['name'], model: string | null, run: () => Promise<string>) => {
      const startedAt = performance.now()
      const result = await run().then(succeeded, (error) => failed(error, ctx, timeout))
      checks.push({ name, model, ...result, milliseconds: Math.round(performance.now() - startedAt) })
    }

    const found = await listModels(endpoint)
    await attempt('models', null, async () => {
      if (found.error_detail !== null) throw new CallError(found.error_detail)
      return found.models.length === 1 ? '1 model.' : `${found.models.length} models.`
    })
    const name = wanted.model ?? chosen.model ?? found.models.find((each) => !isForEmbedding(each))?.id ?? null
    if (name !== null) {
      const ask = (question: Question) => answerOf(ctx, paidFor(provider, name), question, signal)
      await attempt('chat', name, async () => ((await ask(GREETING)) === '' ? noAnswer() : 'The model answered.'))
      await attempt('form', name, async () => checked(await ask(FORMAL)))
    }
    const embedding = wanted.embedding_model ?? chosen.embedding
    if (embedding !== null)
      await attempt('embedding', embedding, async () => {
        const [vector] = await vectorsOf(ctx, paidFor(provider, embedding), ['A crow flies at night.'], {
          signal,
          timeoutMs: TIMEOUT_MS,
        })
        return `Vectors of ${vector?.length} numbers.`
      })
    const failure = checks.find(({ status }) => status === 'error')
    const lacking = name === null ? 'The provider lists no models. Name the model to test.' : null
    const error_detail = failure?.detail ?? lacking
    return { status: error_detail === null ? ('success' as const) : ('error' as const), error_detail, checks }
  },
})

/** It leaves nothing half done. */
export const testConnection: Route = { ...testAction, endsWithClient: true }

/** The models that administrators have chosen for a provider. */
function chosenIn(records: Records, type: ProviderName) {
  const used = Object.values(assignmentsIn(records)).find(({ provider, model }) => provider === type && model)
  const setting = providers.find(({ name }) => name === type)?.setting
  const { selected_embedding_model: embedding = null } = setting?.inForce.parse(records(type).value) ?? {}
  return { model: used?.model ?? null, embedding: embedding as string | null }
}

const GREETING: Question = { messages: [{ role: 'user', content: 'Answer with the word OK.' }], maxTokens: 16 }

const answer = z.object({ works: z.boolean() })
const form = formOf('connection_test', answer)
const FORMAL: Question = {
  messages: withForm([{ role: 'user', content: 'Set "works" to true.' }], form),
  form,
  maxTokens: 64,
}

function noAnswer(): never {
  throw new CallError('The model gave no answer.')
}

function checked(text: string): string {
  if ('fault' in valueIn(text, answer)) throw new CallError('The answer of the model does not have the expected form.')
  return 'The model answered in the form that was asked for.'
}

/** A test is counted and charged like any other request, but no budget refuses it. */
const paidFor = (provider: ReturnType<typeof providerIn>, model: string): Paid => ({
  ...provider,
  model,
  feature: 'connection_test',
  budget: null,
})

async function answerOf(ctx: Context, paid: Paid, question: Question, signal: AbortSignal): Promise<string> {
  const counted = await reserve(ctx, paid, { messages: question.messages, mostAnswer: answerLimit(question) })
  let text = ''
  let ending: Ending | undefined
  try {
    const pieces = chat(paid.endpoint, paid.model, question, signal)
    for (let step = await pieces.next(); ; step = await pieces.next()) {
      if (step.done) {
        ending = step.value
        return text.trim()
      }
      text += step.value
    }
  } finally {
    const usage = ending?.usage ?? { prompt: null, answer: null }
    const tokens = Math.ceil(text.length / CHARACTERS_PER_TOKEN)
    await settle(ctx, paid, counted, ending ? 'success' : 'error', usage, tokens)
  }
}

const succeeded = (detail: string) => ({ status: 'success' as const, detail })

function failed(error: unknown, { signal }: Context, timeout: AbortSignal) {
  if (signal?.aborted) throw signal.reason
  if (timeout.aborted) return { status: 'error' as const, detail: `No answer within ${TIMEOUT_MS / 1000} seconds.` }
  if (!(error instanceof CallError)) throw error
  return { status: 'error' as const, detail: error.message }
}
