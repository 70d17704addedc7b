import { z } from 'zod'
import { TLP, type Tlp } from '../domain/tlp.ts'
import { originOf } from '../engine/bound-secrets.ts'
import type { Item } from '../engine/context.ts'
import { string } from '../engine/field.ts'
import { PASS_THROUGH } from '../engine/field-class.ts'
import type { Server } from '../server.ts'
import { defineSetting, type Setting } from '../settings/setting.ts'
import { baseAddress, secretText } from '../settings/values.ts'

/** Ollama as set up through the environment, which cannot be changed through the API. */
export interface OllamaSetup {
  readonly url: string
  readonly apiKey: string | undefined
  readonly username: string | undefined
  readonly password: string | undefined
  readonly caPath: string | undefined
  readonly verifySsl: boolean
  readonly proxy: string | undefined
}

const model = z.object({ id: z.string(), name: z.string() })
export type Model = z.output<typeof model>

/** The state found when a provider was asked for its models. */
const found = {
  models: z.array(model).default([]),
  embedding_models: z.array(model).default([]),
  error_detail: z.string().nullable().default(null),
  features_count: z.int().default(0),
  integration_status: z.enum(['success', 'error', 'no key', 'not configured']).default('not configured'),
}

const price = (of: string) =>
  z
    .number()
    .min(0)
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe(`The price of a million tokens ${of}, in any currency. Used for the usage report.`)

const common = (ceiling: Tlp) => ({
  enabled: z.boolean().default(false),
  // The key is sent in a header.
  api_key: secretText(/^[!-~]*$/, 'must be at most 10,000 letters, digits and symbols without spaces'),
  selected_embedding_model: string(1, 500)
    .nullable()
    .default(null)
    .describe('The model that makes vectors of texts, by which similar ones are found.'),
  max_tlp: z.enum(TLP).default(ceiling).describe('The most restricted TLP colour that is sent to this provider.'),
  monthly_token_budget: z
    .int()
    .min(0)
    .max(1_000_000_000_000)
    .nullable()
    .default(null)
    .describe('How many tokens each user may use in a calendar month (UTC). Null for no limit.'),
  prompt_price: price('that are sent'),
  answer_price: price('that are received'),
})

/** By definition, what may be shared in a community. */
const SHARED = 'GREEN'

/** A provider of language models. */
export interface Provider {
  readonly name: ProviderName
  readonly setting: Setting
  /** The default URL, used if the record has none. */
  readonly address: string | null
  readonly needsKey: boolean
}

const openaiLike = defineSetting({
  name: 'ai-provider-openai-like',
  doc: 'a provider with an OpenAI-compatible API',
  schema: z.object({
    ...common(SHARED),
    base_url: baseAddress(),
  }),
  secrets: ['api_key'],
  secretsGoTo: ({ base_url }) => [originOf(base_url)],
  readOnly: z.object(found),
})

const ollama = defineSetting({
  name: 'ai-provider-ollama',
  doc: 'models on your own Ollama server',
  // Its models run on servers of your own.
  schema: z.object({ ...common('RED'), base_url: baseAddress() }),
  secrets: ['api_key'],
  secretsGoTo: ({ base_url }) => [originOf(base_url)],
  readOnly: z.object({
    ...found,
    read_only: z.boolean().default(false),
    basic_auth: z.array(z.string()).length(2).nullable().default(null),
    ca_path: z.string().nullable().default(null),
    proxy: z.string().nullable().default(null),
    verify_ssl: z.boolean().default(true),
  }),
})

const vendor = (name: string, doc: string, address: string) =>
  defineSetting({
    name,
    doc,
    schema: z.object({ ...common(SHARED), base_url: baseAddress().nullable().default(null) }),
    secrets: ['api_key'],
    secretsGoTo: ({ base_url }) => [originOf(base_url ?? address)],
    readOnly: z.object(found),
  })

const OPENAI = 'https://api.openai.com/v1'
const PERPLEXITY = 'https://api.perplexity.ai/v1'
const openai = vendor('ai-provider-openai', 'OpenAI', OPENAI)
const perplexity = vendor('ai-provider-perplexity', 'Perplexity', PERPLEXITY)

/** All providers, in the order in which they are listed. */
export const providers: readonly Provider[] = [
  { name: 'ai-provider-openai-like', setting: openaiLike, address: null, needsKey: false },
  { name: 'ai-provider-ollama', setting: ollama, address: null, needsKey: false },
  { name: 'ai-provider-openai', setting: openai, address: OPENAI, needsKey: true },
  { name: 'ai-provider-perplexity', setting: perplexity, address: PERPLEXITY, needsKey: true },
]

export const PROVIDER_NAMES = [
  'ai-provider-openai-like',
  'ai-provider-ollama',
  'ai-provider-openai',
  'ai-provider-perplexity',
] as const
export type ProviderName = (typeof PROVIDER_NAMES)[number]

/** The provider's set-up from the environment; undefined if there is none. */
export const setupOf = ({ ollama: setup }: Pick<Server, 'ollama'>, { setting }: Provider): OllamaSetup | undefined =>
  setting === ollama ? setup : undefined

/** The record shown for a provider that is set up through the environment. */
export const outsideRecord = (setup: OllamaSetup): Item => ({
  enabled: true,
  base_url: setup.url,
  api_key: setup.apiKey === undefined ? null : PASS_THROUGH,
  read_only: true,
  basic_auth: setup.username === undefined ? null : [setup.username, PASS_THROUGH],
  ca_path: setup.caPath ?? null,
  proxy: setup.proxy ?? null,
  verify_ssl: setup.verifySsl,
})
