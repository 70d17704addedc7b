import { queryOptions } from '@tanstack/react-query'
import { FEATURES } from '../../ai/feature-names.ts'
import { call } from '../../api/call.ts'
import { listQuery, oneQuery } from '../../api/lists.ts'
import { queries } from '../../api/queries.ts'

export interface Model {
  readonly id: string
  readonly name: string
}

/** What is configured for a provider, and its state. */
export interface ProviderRecord {
  readonly type: string
  readonly last_updated_at: string | null
  readonly enabled: boolean
  readonly base_url: string | null
  /** The placeholder of a secret, if there is one. */
  readonly api_key: string | null
  readonly max_tlp: string
  readonly monthly_token_budget: number | null
  readonly prompt_price: number | null
  readonly answer_price: number | null
  readonly selected_embedding_model: string | null
  readonly models: readonly Model[]
  readonly embedding_models: readonly Model[]
  readonly error_detail: string | null
  readonly features_count: number
  readonly integration_status: 'success' | 'error' | 'no key' | 'not configured'
  /** Whether it is set up through the environment of the server. */
  readonly read_only?: boolean
}

/** Models that write, not those that make vectors. */
export function chatModelsIn({ models, embedding_models }: Pick<ProviderRecord, 'models' | 'embedding_models'>) {
  const embedding = new Set(embedding_models.map(({ id }) => id))
  return models.map(({ id }) => id).filter((id) => !embedding.has(id))
}

/** The provider and model of a feature. */
export interface Assignment {
  readonly provider: string | null
  readonly model: string | null
}

type StoredAssignment = Assignment & {
  readonly is_provider_configured: boolean
  readonly rag_state?: 'success' | 'error' | 'indexing' | 'not-configured'
}

export type FeaturesRecord = Readonly<Record<string, StoredAssignment>> & {
  readonly type: never
  readonly last_updated_at: never
}

const PATH = 'configurations/ai'
const FEATURES_TYPE = 'ai-features'

/** The configuration of language models. */
export const aiRecordsQuery = queryOptions({
  ...listQuery<ProviderRecord | FeaturesRecord>(PATH),
  select: ({ data }) => {
    const features = data.find(({ type }) => type === FEATURES_TYPE) as FeaturesRecord | undefined
    return {
      features: features ?? ({} as FeaturesRecord),
      providers: data.filter(({ type }) => type !== FEATURES_TYPE) as readonly ProviderRecord[],
    }
  },
})

/** Whether data may be sent to providers at all. */
export const consentQuery = queryOptions({
  ...oneQuery<{ readonly ai_providers_usage_consented: boolean }>('configurations/server'),
  select: (settings) => settings.ai_providers_usage_consented,
})

export async function setConsent(isGiven: boolean): Promise<void> {
  await call('PATCH', 'configurations/server', { data: { ai_providers_usage_consented: isGiven } })
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['configurations/server'] }),
    queries.invalidateQueries({ queryKey: [PATH] }),
  ])
}

/** Saves a provider as a whole, as the API requires. */
export async function saveProvider(record: Partial<ProviderRecord>): Promise<void> {
  await call('PUT', PATH, { data: record })
  await queries.invalidateQueries({ queryKey: [PATH] })
}

/** Saves which provider and model each feature uses. */
export async function saveAssignments(assigned: Readonly<Record<string, Assignment>>): Promise<void> {
  const items = FEATURES.map(({ name }) => {
    const { provider = null, model = null } = assigned[name] ?? {}
    return [name, { provider, model: provider === null ? null : model }]
  })
  await call('PUT', PATH, { data: { type: FEATURES_TYPE, ...Object.fromEntries(items) } })
  await queries.invalidateQueries({ queryKey: [PATH] })
}

/** One step of a connection test. */
export interface Check {
  readonly name: 'models' | 'chat' | 'form' | 'embedding'
  readonly status: 'success' | 'error'
  readonly model: string | null
  readonly detail: string
  readonly milliseconds: number
}

export interface TestResult {
  readonly status: 'success' | 'error'
  readonly error_detail: string | null
  readonly checks: readonly Check[]
}

/** Asks a provider two harmless questions; without a model, that of a feature, or the first one that it lists. */
export const testProvider = async (type: string, model: string | null, signal: AbortSignal): Promise<TestResult> =>
  (await call<{ data: TestResult }>('POST', `${PATH}/test`, { data: { type, model } }, signal)).data
