import type { Server } from '../../server.ts'
import { serverSetting } from '../../settings/server.ts'
import { assignmentsIn, type Ready, readRecords, rulesOf } from '../asking/ready.ts'
import { type Feature, INDEXED } from '../features.ts'
import { type Provider, providers } from '../providers.ts'
import { stateOf } from '../state.ts'

/** What administrators set up for finding passages. */
export interface Setup {
  /** Whether AI providers may be used, and a feature that answers from passages has one. */
  readonly isOn: boolean
  /** Whether an embedding model is selected. */
  readonly isSelected: boolean
  /** The selected model; undefined if its provider cannot be asked. */
  readonly embedder: Ready | undefined
}

const OFF: Setup = { isOn: false, isSelected: false, embedder: undefined }

/** The feature for which passages are embedded; the usage record has another name for it. */
const FEATURE: Feature = 'ai_assistant'

export async function readSetup(server: Server): Promise<Setup> {
  const read = await readRecords(server)
  const { ai_providers_usage_consented } = serverSetting.inForce.parse(read(serverSetting.name).value)
  const assigned = assignmentsIn(read)
  const answering = INDEXED.flatMap((feature) => providers.filter(({ name }) => name === assigned[feature].provider))
  if (ai_providers_usage_consented !== true || answering.length === 0) return OFF
  return { isOn: true, ...embedderIn(server, read, [...answering, ...providers]) }
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
  const embedder = { feature: FEATURE, provider: provider.name, model, endpoint, ...rulesOf(stored.value, provider) }
  return { isSelected: true, embedder }
}
