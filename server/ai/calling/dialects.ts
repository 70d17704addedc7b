import type { ProviderName } from '../providers.ts'
import type { Dialect } from './dialect.ts'
import type { Manner } from './manner.ts'
import { ollamaDialect } from './ollama.ts'
import { openaiDialect } from './openai.ts'

const usual = { chatPath: '/chat/completions', embedPath: '/embeddings', listPath: '/models' }

const trusting: Manner = {
  strictness: 'schema',
  asksUsage: true,
  separatesMessages: true,
  hasTemperature: true,
  forbidsThoughts: false,
  limitName: 'max_tokens',
  leavesRoom: true,
}

/** Its chat is not below `/v1`, its other endpoints are. */
const perplexity = {
  chatPath: '/chat/completions',
  embedPath: '/v1/embeddings',
  listPath: '/v1/models',
  rootOf: (url: string) => (url.endsWith('/v1') ? url.slice(0, -'/v1'.length) : url),
  searchesWeb: true,
  // The list has the models of another of its interfaces.
  unlisted: ['sonar', 'sonar-deep-research', 'sonar-pro', 'sonar-reasoning', 'sonar-reasoning-pro'],
}

const DIALECTS: Readonly<Record<ProviderName, Dialect>> = {
  'ai-provider-openai-like': openaiDialect(usual, trusting),
  // Its newer models accept only their own name of the limit, and no temperature.
  'ai-provider-openai': openaiDialect(usual, {
    ...trusting,
    hasTemperature: false,
    limitName: 'max_completion_tokens',
  }),
  // It reports usage without being asked, and refuses two messages of one role in a row.
  'ai-provider-perplexity': openaiDialect(perplexity, { ...trusting, asksUsage: false, separatesMessages: false }),
  'ai-provider-ollama': ollamaDialect,
}

export const dialectOf = (provider: ProviderName): Dialect => DIALECTS[provider]
