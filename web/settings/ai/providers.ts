/** What administrators know a provider by. */
export interface ProviderKind {
  readonly type: string
  readonly description: string
  /** Whether it works only with a key. */
  readonly needsKey: boolean
  /** The default address; absent if it has to be entered. */
  readonly address?: string
  readonly example?: string
}

/** All providers, those that keep data in your own network first. */
export const PROVIDERS: readonly ProviderKind[] = [
  {
    type: 'ai-provider-ollama',
    description: 'Models on a server of your own. Nothing leaves your network.',
    needsKey: false,
    example: 'http://127.0.0.1:11434',
  },
  {
    type: 'ai-provider-openai-like',
    description: 'vLLM, LM Studio, llama.cpp, a gateway, or any other server with the API of OpenAI.',
    needsKey: false,
    example: 'https://models.example.org/v1',
  },
  {
    type: 'ai-provider-openai',
    description: 'Models of OpenAI, over the internet.',
    needsKey: true,
    address: 'https://api.openai.com/v1',
  },
  {
    type: 'ai-provider-perplexity',
    description: 'Models that search the web for web enrichment, over the internet.',
    needsKey: true,
    address: 'https://api.perplexity.ai/v1',
  },
]
