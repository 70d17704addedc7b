import { sql } from 'kysely'
import { TLP, type Tlp } from '../../domain/tlp.ts'
import type { Context, Item } from '../../engine/context.ts'
import { conflict } from '../../engine/errors.ts'
import { serverSetting } from '../../settings/server.ts'
import { NOTHING, type Stored } from '../../settings/setting.ts'
import type { Endpoint } from '../calling/endpoint.ts'
import { aiFeatures, FEATURES, type Feature } from '../features.ts'
import { type ProviderName, providers } from '../providers.ts'
import { stateOf } from '../state.ts'

/** A model that may be asked for a feature. */
export interface Ready {
  readonly feature: Feature
  readonly provider: ProviderName
  readonly model: string
  readonly endpoint: Endpoint
  /** The most restricted colour that may be sent. */
  readonly ceiling: Tlp
  /** Tokens of each user and month; null for no limit. */
  readonly budget: number | null
  /** Of a million tokens. */
  readonly prices: { readonly prompt: number | null; readonly answer: number | null }
}

/** A provider and model that a request names instead of those of the feature. */
export interface Choice {
  readonly provider?: ProviderName | null | undefined
  readonly model?: string | null | undefined
}

/** The model of a feature. Refuses, before anything is sent, what an administrator has not allowed or set up. */
export async function readyFor(ctx: Context, feature: Feature, choice: Choice = {}): Promise<Ready> {
  const records = await readRecords(ctx)
  requireConsent(records)
  const assigned = assignmentsIn(records)[feature]
  if (!assigned.provider || !assigned.model)
    throw conflict(`The feature ${feature} is off. An administrator can assign a provider and a model to it.`)
  const name = choice.provider ?? assigned.provider
  const model = choice.model ?? (name === assigned.provider ? assigned.model : null)
  if (!model) throw conflict(`model: must be given, because ${name} is not the provider of the feature ${feature}.`)
  const { isEnabled, ...provider } = providerIn(ctx, records, name)
  if (!isEnabled) throw conflict(`${name} is disabled.`)
  return { feature, model, ...provider }
}

/** The features that can be used, with their provider. */
export async function readyFeatures(ctx: Context): Promise<Pick<Ready, 'feature' | 'provider' | 'ceiling'>[]> {
  const records = await readRecords(ctx)
  if (!hasConsent(records)) return []
  const assigned = assignmentsIn(records)
  return FEATURES.flatMap((feature) => {
    const { provider, model } = assigned[feature]
    const found = provider && model ? foundIn(ctx, records, provider) : undefined
    return found && 'endpoint' in found && found.isEnabled
      ? [{ feature, provider: found.provider, ceiling: found.ceiling }]
      : []
  })
}

/** The records that decide what may be asked. */
export type Records = (name: string) => Stored

type Found = Omit<Ready, 'feature' | 'model'> & { readonly isEnabled: boolean }

/** A provider that is set up, whether or not it is enabled. */
export function providerIn(ctx: Context, records: Records, name: ProviderName): Found {
  const found = foundIn(ctx, records, name)
  if ('lacks' in found) throw conflict(`${name} is not set up: ${LACKING[found.lacks]}.`)
  return found
}

const LACKING = { 'no key': 'its key is missing', 'not configured': 'its address is missing' }

function foundIn(ctx: Context, records: Records, name: ProviderName): Found | { lacks: keyof typeof LACKING } {
  const provider = providers.find((each) => each.name === name)
  if (!provider) throw new TypeError(`${name} is not a provider.`)
  const stored = records(provider.setting.name)
  const state = stateOf(ctx, provider, stored)
  if ('lacks' in state) return state
  const { endpoint, isEnabled } = state
  return { provider: provider.name, endpoint, isEnabled, ...rulesOf(stored.value, provider) }
}

const hasConsent = (records: Records): boolean =>
  serverSetting.inForce.parse(records(serverSetting.name).value).ai_providers_usage_consented === true

export function requireConsent(records: Records): void {
  if (!hasConsent(records))
    throw conflict('The use of AI providers is not allowed. An administrator can allow it in the server settings.')
}

/** The provider and model of each feature. */
export const assignmentsIn = (records: Records) =>
  aiFeatures.inForce.parse(records(aiFeatures.name).value) as Record<Feature, Choice>

/** What an administrator allows: the ceiling, the monthly budget of each user, and the prices. */
export function rulesOf(value: Item, { setting }: (typeof providers)[number]) {
  const record = setting.inForce.parse(value)
  const number = (field: unknown): number | null => (typeof field === 'number' ? field : null)
  return {
    ceiling: TLP.find((colour) => colour === record.max_tlp) ?? 'GREEN',
    budget: number(record.monthly_token_budget),
    prices: { prompt: number(record.prompt_price), answer: number(record.answer_price) },
  }
}

/** Reads the settings that decide whether AI is used, by their names. */
export async function readRecords({ db }: Pick<Context, 'db'>): Promise<Records> {
  const names = [serverSetting.name, aiFeatures.name, ...providers.map(({ setting }) => setting.name)]
  const { rows } = await sql<Stored & { name: string }>`
    select name, value, last_updated_at from settings where name = any(${names})`.execute(db)
  return (name) => rows.find((row) => row.name === name) ?? NOTHING
}
