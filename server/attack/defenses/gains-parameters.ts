import { ApiError, badRequest } from '../../engine/errors.ts'
import { readPage } from '../../engine/query.ts'
import { type Id, toId } from '../../engine/reference.ts'
import type { Incoming } from '../../engine/route.ts'
import type { Parameter } from '../../http/openapi/parameters.ts'
import { type HeatPlan, heatParameters, readHeat } from '../heat/heat-parameters.ts'

const MAX_LOG_SOURCES = 1000

/** A request for what collecting log sources would open. */
export interface GainsPlan {
  readonly heat: HeatPlan
  readonly limit: number
  /** Those that were asked for, alone and together; null for all that open something alone. */
  readonly logSources: readonly Id[] | null
}

type Query = Incoming['query']

/** Parses the parameters of gains, and reports all errors at once. */
export function readGains(query: Query): GainsPlan {
  const faults: string[] = []
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      faults.push(...error.details)
      return undefined
    }
  }
  const heat = attempt(() => readHeat(query))
  const page = attempt(() => readPage({ limit: query.limit ?? [] }))
  const logSources = attempt(() => readLogSources(query.log_sources))
  if (heat === undefined || page === undefined || logSources === undefined) throw badRequest(faults)
  return { heat, limit: page.limit, logSources }
}

function readLogSources(texts: readonly string[] | undefined): readonly Id[] | null {
  if (texts === undefined) return null
  const given = texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter(Boolean)
  if (given.length === 0) throw badRequest('log_sources: must have at least 1 item')
  if (given.length > MAX_LOG_SOURCES) throw badRequest(`log_sources: must have at most ${MAX_LOG_SOURCES} items`)
  const ids = given.map((text) => toId('log_sources', text))
  const faults = ids.flatMap((id, i) =>
    id === undefined
      ? [`log_sources[${i}]: '${given[i]?.slice(0, 80)}' is not the id or URL of one of log_sources`]
      : [],
  )
  if (faults.length > 0) throw badRequest(faults)
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/** The parameters of gains. */
export const gainsParameters: readonly Parameter[] = [
  ...heatParameters,
  {
    name: 'log_sources',
    schema: { type: 'array', items: { type: 'string' } },
    description: `What these would open, each alone and all together; at most ${MAX_LOG_SOURCES} ids or URLs. Comma-separated or repeated.`,
  },
  {
    name: 'limit',
    schema: { type: 'integer', minimum: 1, maximum: 2000, default: 100 },
    description: 'How many log sources are listed, from the top.',
  },
]
