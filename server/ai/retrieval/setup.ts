import type { Tlp } from '../../domain/tlp.ts'
import type { Server } from '../../server.ts'
import { serverSetting } from '../../settings/server.ts'
import { type Ready, readRecords, rulesOf } from '../asking/ready.ts'
import { aiFeatures, type Feature, INDEXED } from '../features.ts'
import { type Provider, providers } from '../providers.ts'
import { stateOf } from '../state.ts'

/** The features that search the passages, whose state is shown with the first. */
const SEARCHING: readonly Feature[] = [INDEXED, 'ai_web_enrichment']

/** What administrators set up for finding passages. */
export interface Setup {
  /** Whether AI providers may be used, and a feature that searches the passages has one. */
  readonly isOn: boolean
  /** The most restricted colour that may be sent to the provider of the first such feature. */
  readonly ceiling: Tlp
  /** Whether an embedding model is selected. */
  readonly isSelected: boolean
  /** The selected model; undefined if its provider cannot be asked. */
  readonly embedder: Ready | undefined
}

const OFF: Setup = { isOn: false, ceiling: 'NONE', isSelected: false, embedder: undefined }

export async function readSetup(server: Server): Promise<Setup> {
  const read = await readRecords(server)
  const { ai_providers_usage_consented } = serverSetting.inForce.parse(read(serverSetting.name).value)
  const features = aiFeatures.inForce.parse(read(aiFeatures.name).value) as Record<string, { provider: unknown }>
  const assigned = SEARCHING.flatMap((feature) => providers.filter(({ name }) => name === features[feature]?.provider))
  const [first] = assigned
  if (ai_providers_usage_consented !== true || !first) return OFF
  const { ceiling } = rulesOf(read(first.setting.name).value, first)
  return { isOn: true, ceiling, ...embedderIn(server, read, [...assigned, ...providers]) }
}

/** The first of these providers for which an embedding model is selected: if possible, what answers also finds. */
function embedderIn(
  server: Server,
  read: Awaited<ReturnType<typeof readRecords>>,
  preferred: readonly Provider[],
): Pick<Setup, 'isSelected' | 'embedder'> {
  const modelOf = ({ setting }: Provider): unknown => read(setting.name).value.selected_embedding_model
  const provider = preferred.find((each) => typeof modelOf(each) === 'string')
  if (!provider) return { isSelected: false, embedder: undefined }
  const stored = read(provider.setting.name)
  const state = stateOf(server, provider, stored)
  if ('lacks' in state || !state.isEnabled) return { isSelected: true, embedder: undefined }
  const { endpoint } = state
  const model = String(modelOf(provider))
  const embedder = {
    feature: INDEXED,
    provider: provider.name,
    model,
    endpoint,
    ...rulesOf(stored.value, provider),
  }
  return { isSelected: true, embedder }
}
