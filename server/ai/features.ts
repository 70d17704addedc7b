import { z } from 'zod'
import type { Item } from '../engine/context.ts'
import { string } from '../engine/field.ts'
import { defineSetting, type Stored, shown, shownSchema } from '../settings/setting.ts'
import { PROVIDER_NAMES } from './providers.ts'

export const FEATURES = [
  'ai_assistant',
  'ai_content_generation',
  'ai_contextual_relevancy',
  'ai_entity_extraction',
  'ai_intel_summary',
  'ai_translation',
  'ai_web_enrichment',
  'ai_writing_assistant',
  'nlp_to_search',
] as const

export type Feature = (typeof FEATURES)[number]
const perFeature = <T>(make: (feature: Feature) => T) =>
  Object.fromEntries(FEATURES.map((feature) => [feature, make(feature)])) as Record<Feature, T>

const item = z.object({ model: string(1, 500).nullable(), provider: z.enum(PROVIDER_NAMES).nullable() })

/** Assigns a model and provider to each feature. */
export const aiFeatures = defineSetting({
  name: 'ai-features',
  doc: 'the model and provider of each language model feature',
  schema: z.object(perFeature(() => item.prefault({ model: null, provider: null }))),
})

/** The features that answer from an index of passages. */
export const INDEXED: readonly Feature[] = ['ai_assistant', 'ai_web_enrichment']

const shownItem = item.extend({ is_provider_configured: z.boolean() })
/** How far the index is. */
const RAG_STATES = ['success', 'error', 'indexing', 'not-configured'] as const
export type RagState = (typeof RAG_STATES)[number]

export const shownFeaturesSchema = shownSchema(aiFeatures).extend(
  perFeature((feature) =>
    INDEXED.includes(feature) ? shownItem.extend({ rag_state: z.enum(RAG_STATES) }) : shownItem,
  ),
)

/** The number of features that use each provider. */
export function countByProvider({ value }: Stored): ReadonlyMap<unknown, number> {
  const used = Object.values(aiFeatures.inForce.parse(value) as Record<Feature, z.output<typeof item>>)
  return new Map(PROVIDER_NAMES.map((name) => [name, used.filter(({ provider }) => provider === name).length]))
}

/** The record, with the availability of each feature. */
export function showFeatures(stored: Stored, isConfigured: (provider: string) => boolean, rag_state: RagState): Item {
  const record = shown(aiFeatures, stored)
  const items = perFeature((feature) => {
    const { model, provider } = record[feature] as z.output<typeof item>
    const is_provider_configured = provider !== null && isConfigured(provider)
    return { model, provider, is_provider_configured, ...(INDEXED.includes(feature) && { rag_state }) }
  })
  return { ...record, ...items }
}
