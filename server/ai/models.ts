import { z } from 'zod'
import { CallError } from './calling/call-error.ts'
import { dialectOf } from './calling/dialects.ts'
import type { Endpoint } from './calling/endpoint.ts'
import { fail, send } from './calling/send.ts'
import { wholeText } from './calling/texts.ts'
import type { Model } from './providers.ts'

/** The result of asking a provider for its models. */
export interface Findings {
  readonly models: readonly Model[]
  readonly error_detail: string | null
  readonly integration_status: 'success' | 'error'
}

const FRESH_MS = 60_000
const MAX_MODELS = 5000
const LIMITS = { timeoutMs: 3000, idleMs: 3000, mostBytes: 4 * 2 ** 20 }

interface Asked {
  readonly version: string
  readonly at: number
  readonly findings: Promise<Findings>
}

// One entry per provider, so that reading the records often does not flood the provider.
const asked = new Map<string, Asked>()

/** The models of a provider, cached for a minute unless its record changed. */
export function findingsOf(name: string, version: string, endpoint: Endpoint): Promise<Findings> {
  const known = asked.get(name)
  const now = Date.now()
  if (known && known.version === version && now - known.at < FRESH_MS) return known.findings
  const findings = listModels(endpoint)
  asked.set(name, { version, at: now, findings })
  return findings
}

/** Providers do not report the purpose of a model, so its name has to tell. */
export const isForEmbedding = ({ id }: Model): boolean => /embed|(^|[/:_-])(bge|e5|gte)([:_-]|$)/i.test(id)

/** The models of a provider as it lists them now. */
export async function listModels(endpoint: Endpoint): Promise<Findings> {
  try {
    const opened = await send(endpoint, dialectOf(endpoint.provider).listPath, undefined, LIMITS)
    const models = modelsIn(endpoint, await wholeText(opened.body).catch((error) => fail(error)))
    return { models, error_detail: null, integration_status: 'success' }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return { models: [], error_detail: error.message, integration_status: 'error' }
  }
}

const text = z.string().min(1).max(500)

/** OpenAI lists its models as `data` with an `id`, Ollama as `models` with a `name`. */
const list = z.union([
  z.object({ data: z.array(z.object({ id: text })) }).transform(({ data }) => data.map(({ id }) => id)),
  z.object({ models: z.array(z.object({ name: text })) }).transform(({ models }) => models.map(({ name }) => name)),
])

function modelsIn({ provider, secrets }: Endpoint, answer: string): Model[] {
  const read = list.safeParse(parsed(answer))
  if (!read.success) throw new CallError('The provider did not respond with a list of models.')
  const isHarmless = (name: string) => !secrets.some((secret) => name.includes(secret))
  const { unlisted = [] } = dialectOf(provider)
  const names = [...new Set([...read.data.filter(isHarmless), ...unlisted])].sort()
  return names.slice(0, MAX_MODELS).map((name) => ({ id: name, name }))
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    throw new CallError('The provider did not respond with JSON.')
  }
}
