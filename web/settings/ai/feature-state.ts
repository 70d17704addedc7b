import { FEATURES } from '../../ai/feature-names.ts'
import { providerName } from '../../ai/made.ts'
import type { Assignment, FeaturesRecord, ProviderRecord } from './records.ts'

/** The provider and model of each feature by its name. */
export type AssignedFeatures = Readonly<Record<string, Assignment>>

/** Whether a feature works, and what is missing if not. */
export interface State {
  readonly label: string
  readonly color: 'green' | 'gray' | 'yellow' | 'red'
  readonly detail?: string
}

export const assignedOf = (features: FeaturesRecord): AssignedFeatures =>
  Object.fromEntries(
    FEATURES.map(({ name }) => [
      name,
      { provider: features[name]?.provider ?? null, model: features[name]?.model ?? null },
    ]),
  )

export const assignToAll = (before: AssignedFeatures, assigned: Assignment): AssignedFeatures =>
  Object.fromEntries(Object.keys(before).map((name) => [name, assigned]))

const RAG: Readonly<Record<string, string>> = {
  indexing: 'The index is being made: questions are answered from what is in it so far.',
  error: 'The embedding model failed: texts are found by their words.',
  'not-configured': 'No embedding model is selected: texts are found by their words.',
}

/** The state of a feature as it was saved. */
export function stateOf(
  name: string,
  features: FeaturesRecord,
  providers: readonly ProviderRecord[],
  isAllowed: boolean,
): State {
  const saved = features[name]
  if (!saved?.provider) return { label: 'Off', color: 'gray' }
  if (!saved.model) return { label: 'No model', color: 'yellow', detail: 'Select a model to switch it on.' }
  const provider = providerName(saved.provider)
  const record = providers.find(({ type }) => type === saved.provider)
  if (!saved.is_provider_configured)
    return {
      label: 'Does not work',
      color: 'yellow',
      detail:
        record?.enabled === false && ['success', 'error'].includes(record.integration_status)
          ? `${provider} is disabled.`
          : `${provider} is not set up.`,
    }
  if (!isAllowed) return { label: 'Does not work', color: 'yellow', detail: 'Providers are not allowed yet.' }
  if (record?.integration_status === 'error')
    return { label: 'Provider fails', color: 'red', detail: record.error_detail ?? `${provider} cannot be reached.` }
  const detail = RAG[saved.rag_state ?? '']
  return { label: 'On', color: 'green', ...(detail && { detail }) }
}
