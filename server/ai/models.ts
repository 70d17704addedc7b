import { z } from 'zod'
import { type Call, CallError, fetchJson } from './fetch-json.ts'
import type { Model } from './providers.ts'

/** How a provider is asked for its models. */
export interface Question extends Call {
  /** What must not be in anything that is shown of the answer. */
  readonly secrets: readonly string[]
  /** Whether its key is sealed with a secret key that the server no longer has. */
  readonly isLocked: boolean
}

/** What came of asking a provider for its models. */
export interface Findings {
  readonly models: readonly Model[]
  readonly error_detail: string | null
  readonly integration_status: 'success' | 'error'
}

const FRESH_MS = 60_000
const MOST_MODELS = 5000

interface Asked {
  readonly version: string
  readonly at: number
  readonly findings: Promise<Findings>
}

// One entry per provider: who reads the records often must not make the provider's day longer.
const asked = new Map<string, Asked>()

/** What is known of a provider: asked now, unless it was asked a minute ago or less, and is the same since. */
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
      throw new CallError('The key cannot be read with the secret key of this server; set it again.')
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
  if (!read.success) throw new CallError('The provider did not answer with a list of models.')
  const isHarmless = (name: string) => !secrets.some((secret) => name.includes(secret))
  const names = [...new Set(read.data)].filter(isHarmless).sort()
  return names.slice(0, MOST_MODELS).map((name) => ({ id: name, name }))
}
