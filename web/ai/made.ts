/** A message to or from a model. */
export interface SentMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** A request to a provider, and what it cost; null where the provider does not say. */
export interface Sent {
  readonly messages: readonly SentMessage[]
  readonly prompt_tokens: number | null
  readonly answer_tokens: number | null
}

/** What every result of a language model says about how it was made. */
export interface Made {
  readonly tlp_color: string
  readonly generated_by: {
    readonly feature: string
    readonly provider: string
    readonly model: string
    /** Null if no model was asked. */
    readonly prompt_hash: string | null
    readonly generated_at: string
    readonly inputs: readonly string[]
  }
  /** With `include_prompt: true` in the request. */
  readonly sent?: readonly Sent[]
}

/** A source that an answer names. */
export interface Citation {
  readonly n: number
  /** The URL of the entity. */
  readonly entity: string
  readonly title: string
  readonly quote: string
}

/** A value in an answer that occurs in none of its sources. */
export interface UnverifiedValue {
  readonly value: string
  readonly start: number
  readonly end: number
}

const PROVIDERS: Readonly<Record<string, string>> = {
  'ai-provider-ollama': 'Ollama',
  'ai-provider-openai': 'OpenAI',
  'ai-provider-openai-like': 'OpenAI-compatible',
  'ai-provider-perplexity': 'Perplexity',
}

const PROVIDER_ID = /ai-provider-[a-z]+(?:-like)?/g

/** The name of a provider in running text. */
export const providerName = (provider: string): string => PROVIDERS[provider] ?? provider

/** A message of the server with the names of providers in place of their ids. */
export const withProviderNames = (text: string): string => text.replaceAll(PROVIDER_ID, providerName)
