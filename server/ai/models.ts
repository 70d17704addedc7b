import { z } from 'zod'
import { type Call, CallError, fetchJson } from './fetch-json.ts'
import type { Model } from './providers.ts'

/** The request for a provider's models. */
export interface Question extends Call {
  /** Values that must not appear in anything shown of the response. */
  readonly secrets: readonly string[]
  /** Whether the key is sealed with a secret key that the server no longer has. */
  readonly isLocked: boolean
}

/** The result of asking a provider for its models. */
export interface Findings {
  readonly models: readonly Model[]
  readonly error_detail: string | null
  readonly integration_status: 'success' | 'error'
}

const FRESH_MS = 60_000
const MAX_MODELS = 5000

interface Asked {
  readonly version: string
  readonly at: number
  readonly findings: Promise<Findings>
}

// One entry per provider, so that reading the records often does not flood the provider.
const asked = new Map<string, Asked>()

/** The models of a provider, cached for a minute unless its record changed. */
export function findingsOf(name: string, version: string, question: Question): Promise<Findings> {
  const known = asked.get(name)
  const now = Date.now()
  if (known && known.version === version && now - known.at < FRESH_MS) return known.findings
  const findings = ask(question)
  asked.set(name, { version, at: now, findings })
  return findings
}

async function ask(question: Question): Promise<Findings> {
  try {
    if (question.isLocked)
      throw new CallError('The key cannot be decrypted with the secret key of this server. Set it again.')
    return { models: modelsIn(question, await fetchJson(question)), error_detail: null, integration_status: 'success' }
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

function modelsIn({ secrets }: Question, answer: unknown): Model[] {
  const read = list.safeParse(answer)
  if (!read.success) throw new CallError('The provider did not respond with a list of models.')
  const isHarmless = (name: string) => !secrets.some((secret) => name.includes(secret))
  const names = [...new Set(read.data)].filter(isHarmless).sort()
  return names.slice(0, MAX_MODELS).map((name) => ({ id: name, name }))
}
