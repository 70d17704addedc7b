import { z } from 'zod'
import { readAttributes } from '../../engine/query.ts'
import type { Incoming } from '../../engine/route.ts'
import { ATTRIBUTES, type Parameter } from '../../http/openapi/parameters.ts'
import {
  AGGREGATES,
  choice,
  type HeatPlan,
  halfLifeParameter,
  heatShape,
  readBy,
  refuseContradictions,
  scopeParameters,
} from './heat-parameters.ts'

/** Which techniques are listed: those with a threat or defenses that work, those with a gap, or those that are covered. */
export const COVERAGE_KINDS = ['all', 'gap', 'coverage'] as const
/** What a threat is made of. */
export const THREATS = ['count', 'recency'] as const

const MAX_LIMIT = 2000

const limit = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number')
  .transform(Number)
  .pipe(z.int().min(1).max(MAX_LIMIT))

const parameters = z
  .object({
    ...heatShape,
    by: z.enum(THREATS).default('count'),
    kind: z.enum(COVERAGE_KINDS).default('all'),
    limit: limit.optional(),
  })
  .superRefine(refuseContradictions)

/** A request for the coverage of a matrix. */
export interface CoveragePlan {
  readonly heat: HeatPlan
  readonly kind: (typeof COVERAGE_KINDS)[number]
  /** Null for all techniques. */
  readonly limit: number | null
  /** What is shown of each technique; null for all. */
  readonly attributes: readonly string[] | null
}

/** Parses the parameters of coverage, and reports all errors at once. */
export function readCoverage(query: Incoming['query']): CoveragePlan {
  const { plan, parsed } = readBy(parameters, query)
  return { heat: plan, kind: parsed.kind, limit: parsed.limit ?? null, attributes: readAttributes(query) }
}

/** The parameters of coverage. */
export const coverageParameters: readonly Parameter[] = [
  ...scopeParameters,
  choice('by', THREATS, 'What the threat is: the number of entities, or its sum weighted by recency.'),
  choice(
    'aggregate',
    AGGREGATES,
    'How the threats and gaps of sub-techniques flow into those of their technique. Its share is then that of the whole threat.',
  ),
  halfLifeParameter,
  choice(
    'kind',
    COVERAGE_KINDS,
    'Techniques with a threat or a share; with a gap; or with a share, ranked by it instead of by their gap.',
  ),
  {
    name: 'limit',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
    description: 'The number of techniques, from the top. Without it, all are listed.',
  },
  ATTRIBUTES,
]
