import type { ProviderRecord } from './records.ts'

/** The input of the form of a provider. */
export interface ProviderDraft {
  readonly enabled: boolean
  readonly base_url: string
  /** Empty keeps the stored key, null removes it. */
  readonly api_key: string | null
  readonly max_tlp: string
  readonly monthly_token_budget: number | string
  readonly prompt_price: number | string
  readonly answer_price: number | string
  readonly selected_embedding_model: string
}

/** A new provider is enabled: setting one up is done to use it. */
export const draftOf = (record: ProviderRecord): ProviderDraft => ({
  enabled: record.last_updated_at === null || record.enabled,
  base_url: record.base_url ?? '',
  api_key: '',
  max_tlp: record.max_tlp,
  monthly_token_budget: record.monthly_token_budget ?? '',
  prompt_price: record.prompt_price ?? '',
  answer_price: record.answer_price ?? '',
  selected_embedding_model: record.selected_embedding_model ?? '',
})

/** The record to send. A stored key is sent as its placeholder, which leaves it unchanged. */
export const bodyOf = ({ type, api_key: stored }: ProviderRecord, draft: ProviderDraft) => ({
  type,
  enabled: draft.enabled,
  base_url: draft.base_url.trim() === '' ? null : draft.base_url.trim(),
  api_key: draft.api_key === '' ? stored : draft.api_key,
  max_tlp: draft.max_tlp,
  monthly_token_budget: numberIn(draft.monthly_token_budget),
  prompt_price: numberIn(draft.prompt_price),
  answer_price: numberIn(draft.answer_price),
  selected_embedding_model: draft.selected_embedding_model.trim() || null,
})

const numberIn = (input: number | string): number | null => (input === '' ? null : Number(input))
