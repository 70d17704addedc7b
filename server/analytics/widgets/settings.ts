import { z } from 'zod'
import { MATRICES } from '../../attack/frameworks/framework.ts'
import { THREATS } from '../../attack/heat/coverage-parameters.ts'
import { AGGREGATES, MAX_DATASETS, MAX_ENTITIES } from '../../attack/heat/heat-parameters.ts'
import { ApiError } from '../../engine/errors.ts'
import { planList } from '../../engine/query.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { consolidation } from '../../intelligence/entities/unified.ts'

/** The default order of a list: newest first. */
export const DEFAULT_SORT = '-created_at'
export const DEFAULT_LIMIT = 10

const sort = z
  .string()
  .max(1000)
  .superRefine((text, { addIssue }) => {
    try {
      // Sorting by score requires a query, but whether there is one is not known here.
      planList(entities, { sort: [text], query: ['*:*'] })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      for (const detail of error.details) addIssue({ code: 'custom', message: detail.replace(/^sort: /, '') })
    }
  })

/** What an attack matrix counts: the parameters of coverage. */
const attack = z.object({
  matrix: z.enum(MATRICES).optional(),
  by: z.enum(THREATS).optional(),
  half_life: z.int().min(1).max(10_000_000).optional().describe('In days; only by `recency`.'),
  aggregate: z.enum(AGGREGATES).optional(),
  relations: z.boolean().optional(),
  dataset: z.array(z.int().min(1)).max(MAX_DATASETS).optional().describe('Ids of datasets.'),
  entities: z.array(z.uuid()).max(MAX_ENTITIES).optional().describe('Ids of entities.'),
})

/** The display settings of a widget. Only those of entities are validated; the others belong to the interface. */
export const settings = z
  .looseObject({
    sort: sort.optional().describe(`The order of a list, as in lists of entities; \`${DEFAULT_SORT}\` by default.`),
    limit: z.int().min(1).max(100).optional().describe(`The length of a list; ${DEFAULT_LIMIT} by default.`),
    consolidation: consolidation.optional().describe('What a number or a list includes, as in lists of entities.'),
    attack: attack.optional().describe('What an attack matrix shows, as in the coverage of a matrix.'),
    attributes: z.array(z.string().max(500)).max(100).optional().describe('The columns of a list.'),
  })
  .check(refuseUnstorable)
