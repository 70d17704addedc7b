import { sql } from 'kysely'
import { z } from 'zod'
import { parseBody } from '../engine/action.ts'
import { messageOf } from '../engine/body.ts'
import type { Context, Item } from '../engine/context.ts'
import { badRequest, conflict } from '../engine/errors.ts'
import type { Route } from '../engine/route.ts'
import {
  NOTHING,
  type Setting,
  type Stored,
  sentRecord,
  sentSchema,
  shown,
  shownSchema,
  store,
} from '../settings/setting.ts'
import { testConnection } from './connection-test.ts'
import { readFeatureAvailability } from './feature-availability.ts'
import { aiFeatures, countByProvider, showFeatures, shownFeaturesSchema } from './features.ts'
import { findingsOf, isForEmbedding } from './models.ts'
import { outsideRecord, type Provider, providers, setupOf } from './providers.ts'
import { ragState } from './retrieval/rag-state.ts'
import { stateOf } from './state.ts'
import { usageRoutes } from './usage/usage-routes.ts'

const settings: readonly Setting[] = [aiFeatures, ...providers.map(({ setting }) => setting)]
const names = settings.map(({ name }) => name)

const shownRecord = z.union([shownFeaturesSchema, ...providers.map(({ setting }) => shownSchema(setting))])
const sent = z.union(settings.map((setting) => sentSchema(setting).extend({ type: z.literal(setting.name) })))

const about = { path: '/configurations/ai', tag: 'configurations' }

/** The configuration of language models: list all records, set one at a time, test one; what works, and what it costs. */
export const aiRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: about.path,
    permission: 'read configurations',
    doc: {
      operationId: 'get_configuration_ai',
      summary: 'Configuration: the features and providers of language models',
      tag: about.tag,
      success: { 200: pageOf(shownRecord) },
    },
    parse: () => ({}),
    run: (ctx) => readRecords(ctx, settings),
    answer: (data: Item[]) => {
      const count = data.length
      return { status: 200, body: { count, data, limit: count, offset: 0, total_count: count, cursor: null } }
    },
  },
  {
    method: 'PUT',
    changesCallers: true,
    path: about.path,
    permission: 'modify configurations',
    // The provider is called during the request, and may respond slowly.
    isDetached: true,
    doc: {
      operationId: 'set_configuration_ai',
      summary: 'Configuration: set the language model features or one provider, selected by `type`',
      tag: about.tag,
      body: z.object({ data: sent }),
      success: { 200: z.object({ data: shownRecord }) },
      refusals: [400, 409],
    },
    parse: (request) => parseBody(sentRecord, request.body),
    run: setRecord,
    answer: (record: Item) => ({ status: 200, body: { data: record } }),
  },
  testConnection,
  readFeatureAvailability,
  ...usageRoutes,
]

function pageOf(record: z.ZodType): z.ZodType {
  const number = z.int()
  const data = z.array(record)
  return z.object({ count: number, data, limit: number, offset: number, total_count: number, cursor: z.null() })
}

async function setRecord(ctx: Context, record: Item): Promise<Item | undefined> {
  const setting = settings.find(({ name }) => name === record.type)
  if (!setting) {
    throw badRequest(`data.type: ${messageOf({ code: 'invalid_value', values: names, input: record.type })}`)
  }
  const provider = providers.find((each) => each.setting === setting)
  if (provider && setupOf(ctx, provider)) {
    throw conflict(
      `${setting.name} is set through the server environment (CORVUS_OLLAMA_URL) and cannot be changed here.`,
    )
  }
  await ctx.db.transaction().execute((db) => store({ ...ctx, db }, setting, () => record))
  const [shownAgain] = await readRecords(ctx, [setting])
  return shownAgain
}

/** The records, with the current state of the providers among them. */
async function readRecords(ctx: Context, wanted: readonly Setting[]): Promise<Item[]> {
  const { rows } = await sql<Stored & { name: string }>`
    select name, value, last_updated_at from settings where name = any(${names})`.execute(ctx.db)
  const storedOf = ({ name }: Setting): Stored => rows.find((row) => row.name === name) ?? NOTHING
  const counts = countByProvider(storedOf(aiFeatures))
  const isConfigured = (name: string): boolean => {
    const provider = providers.find(({ setting }) => setting.name === name)
    const state = provider && stateOf(ctx, provider, storedOf(provider.setting))
    return state !== undefined && 'endpoint' in state && state.isEnabled
  }
  const state = wanted.includes(aiFeatures) ? await ragState(ctx) : 'not-configured'
  return Promise.all(
    wanted.map((setting) => {
      const provider = providers.find((each) => each.setting === setting)
      const stored = storedOf(setting)
      if (!provider) return showFeatures(stored, isConfigured, state)
      return showProvider(ctx, provider, stored, counts.get(setting.name) ?? 0)
    }),
  )
}

async function showProvider(ctx: Context, provider: Provider, stored: Stored, features_count: number): Promise<Item> {
  const { setting } = provider
  const setup = setupOf(ctx, provider)
  const state = stateOf(ctx, provider, stored)
  const findings =
    'lacks' in state
      ? { integration_status: state.lacks }
      : await findingsOf(setting.name, state.version, state.endpoint)
  const embedding_models = 'models' in findings ? findings.models.filter(isForEmbedding) : []
  const outside = setup ? outsideRecord(setup) : {}
  return { ...shown(setting, setup ? NOTHING : stored, { ...findings, embedding_models, features_count }), ...outside }
}
