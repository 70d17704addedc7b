import { z } from 'zod'
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

/** The display settings of a widget. Only those of entities are validated; the others belong to the interface. */
export const settings = z
  .looseObject({
    sort: sort.optional().describe(`The order of a list, as in lists of entities; \`${DEFAULT_SORT}\` by default.`),
    limit: z.int().min(1).max(100).optional().describe(`The length of a list; ${DEFAULT_LIMIT} by default.`),
    consolidation: consolidation.optional().describe('What a number or a list includes, as in lists of entities.'),
    attributes: z.array(z.string().max(500)).max(100).optional().describe('The columns of a list.'),
  })
  .check(refuseUnstorable)
