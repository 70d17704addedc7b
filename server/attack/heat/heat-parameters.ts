import { z } from 'zod'
import { faultsOf, messageOf } from '../../engine/body.ts'
import { ApiError, badRequest } from '../../engine/errors.ts'
import type { ListPlan } from '../../engine/list-plan.ts'
import { planList } from '../../engine/query.ts'
import type { Id } from '../../engine/reference.ts'
import type { Incoming } from '../../engine/route.ts'
import { listParameters, type Parameter } from '../../http/openapi/parameters.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { idOf } from '../../intelligence/relational/step-fields.ts'
import { MATRICES } from '../frameworks/framework.ts'
import type { Scope } from './scope.ts'

/** What a score is made of, or what counts are broken down by. */
export const HEAT_KINDS = ['count', 'recency', 'source', 'type', 'dataset'] as const
/** How the scores of sub-techniques flow into their technique. */
export const AGGREGATES = ['none', 'sum', 'max'] as const

/** The most entities and datasets that can be named. */
export const MAX_ENTITIES = 1000
export const MAX_DATASETS = 50
/** The half-life of most types of entities. */
const DEFAULT_HALF_LIFE = 182

const ids = (to: 'entities' | 'datasets', max: number) =>
  z
    .array(idOf(to))
    .max(max)
    .min(1)
    .transform((list): Id[] => [...new Set(list)])
    .default([])

const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')

const days = z
  .string()
  .regex(/^\d{1,8}$/, 'must be a number of days')
  .transform(Number)
  .pipe(z.int().min(1).max(10_000_000))

export const matrix = z.enum(MATRICES).default('enterprise-attack')

/** What the parameters of a heat are parsed by. */
export const heatShape = {
  matrix,
  dataset: ids('datasets', MAX_DATASETS),
  entities: ids('entities', MAX_ENTITIES),
  by: z.enum(HEAT_KINDS).default('count'),
  aggregate: z.enum(AGGREGATES).default('none'),
  relations: flag.default(false),
  half_life: days.optional(),
}

type Parsed = z.output<z.ZodObject<typeof heatShape>>

/** Refuses parameters that contradict each other. */
export const refuseContradictions = (
  { by, dataset, half_life }: Pick<Parsed, 'by' | 'dataset' | 'half_life'>,
  { addIssue }: z.core.$RefinementCtx,
): void => {
  const refuse = (name: string, message: string) => addIssue({ code: 'custom', path: [name], message })
  if (by === 'dataset' && dataset.length === 0) refuse('dataset', "is required by 'dataset'; name those to compare")
  if (by !== 'recency' && half_life !== undefined) refuse('half_life', "needs by 'recency'")
}

const parameters = z.object(heatShape).superRefine(refuseContradictions)

/** A request for the heat of a matrix. */
export interface HeatPlan {
  readonly matrix: (typeof MATRICES)[number]
  /** The query, the filters and the consolidation that entities must meet. */
  readonly list: Pick<ListPlan, 'query' | 'filters' | 'reduction' | 'at'>
  /** Entities must be in each of these. */
  readonly scopes: readonly Scope[]
  readonly by: (typeof HEAT_KINDS)[number]
  readonly aggregate: (typeof AGGREGATES)[number]
  /** Whether entities that are related to the chosen ones count as well. */
  readonly relations: boolean
  /** In days. */
  readonly halfLife: number
  /** What counts are broken down by, if that is datasets. */
  readonly datasets: readonly Id[]
}

type Query = Incoming['query']

/** Parses the parameters of heat, and reports all errors at once. */
export const readHeat = (query: Query): HeatPlan => readBy(parameters, query).plan

/** Parses the parameters of heat by a schema that may have more of them, and reports all errors at once. */
export function readBy<P extends Parsed>(schema: z.ZodType<P>, query: Query): { plan: HeatPlan; parsed: P } {
  const listed = (name: string) =>
    query[name]
      ?.flatMap((text) => text.split(','))
      .map((text) => text.trim())
      .filter(Boolean)
  const single = Object.fromEntries(Object.entries(query).map(([name, texts]) => [name, texts.at(-1)]))
  const given = { ...single, dataset: listed('dataset'), entities: listed('entities') }
  const parsed = schema.safeParse(given, { error: messageOf })
  const list = readList(query)
  const faults = [...(parsed.success ? [] : faultsOf(parsed.error)), ...('faults' in list ? list.faults : [])]
  if (!parsed.success || 'faults' in list) throw badRequest(faults)
  const { matrix, by, aggregate, relations, dataset, entities, half_life } = parsed.data
  const scopes = dataset.length + entities.length > 0 ? [{ datasets: dataset, entities }] : []
  const halfLife = half_life ?? DEFAULT_HALF_LIFE
  return { plan: { matrix, by, aggregate, relations, list, scopes, halfLife, datasets: dataset }, parsed: parsed.data }
}

/** The parameters that lists of entities have too. Those for pages have no meaning here. */
function readList(query: Query): ListPlan | { readonly faults: readonly string[] } {
  const isShared = (name: string) => name === 'query' || name === 'consolidation' || name.startsWith('filter[')
  try {
    return planList(entities, Object.fromEntries(Object.entries(query).filter(([name]) => isShared(name))))
  } catch (error) {
    if (error instanceof ApiError) return { faults: error.details }
    throw error
  }
}

/** A parameter that is one of some values, the first by default. */
export const choice = (name: string, values: readonly string[], description: string): Parameter => ({
  name,
  schema: { type: 'string', enum: values, default: values[0] },
  description,
})
const list = (name: string, description: string): Parameter => ({
  name,
  schema: { type: 'array', items: { type: 'string' } },
  description: `${description} Comma-separated or repeated.`,
})

/** The parameters that determine which entities count. */
export const scopeParameters: readonly Parameter[] = [
  choice('matrix', ['enterprise-attack', ...MATRICES.filter((name) => name !== 'enterprise-attack')], 'The matrix.'),
  { name: 'query', schema: { type: 'string' }, description: 'Only entities that match this query.' },
  list('dataset', `Only entities in one of these datasets, or in \`entities\`; at most ${MAX_DATASETS} ids or URLs.`),
  list('entities', `Only these entities, or those in \`dataset\`; at most ${MAX_ENTITIES} ids or URLs.`),
  {
    name: 'relations',
    schema: { type: 'boolean', default: false },
    description:
      'Whether entities count as well that have a relationship with one that `query`, `entities` and `dataset` choose.',
  },
  ...listParameters(entities).filter(({ name }) => name === 'consolidation' || name.startsWith('filter[')),
]

export const halfLifeParameter: Parameter = {
  name: 'half_life',
  schema: { type: 'integer', minimum: 1, maximum: 10_000_000, default: DEFAULT_HALF_LIFE },
  description: 'The days since the start of a threat in which its weight halves. Only by `recency`.',
}

/** The parameters of heat. */
export const heatParameters: readonly Parameter[] = [
  ...scopeParameters,
  choice(
    'by',
    HEAT_KINDS,
    'What scores are: the number of entities, or its sum weighted by recency. The others break the numbers down.',
  ),
  choice('aggregate', AGGREGATES, 'How the scores of sub-techniques flow into the score of their technique.'),
  halfLifeParameter,
]
