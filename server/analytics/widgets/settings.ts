import { z } from 'zod'
import { ApiError } from '../../engine/errors.ts'
import { planList } from '../../engine/query.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { entities } from '../../intelligence/entities/entities.ts'

/** What a list shows when it does not say: the newest. */
export const DEFAULT_SORT = '-created_at'
export const DEFAULT_LIMIT = 10

const sort = z
  .string()
  .max(1000)
  .superRefine((text, { addIssue }) => {
    try {
      // Whether there is a query, which sorting by how well something fits needs, is not known here.
      planList(entities, { sort: [text], query: ['*:*'] })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      for (const detail of error.details) addIssue({ code: 'custom', message: detail.replace(/^sort: /, '') })
    }
  })

/** How a widget is shown. What a list of entities needs is checked; the rest is the interface's own. */
export const settings = z
  .looseObject({
    sort: sort.optional().describe(`The order of a list, as in lists of entities; \`${DEFAULT_SORT}\` unless said.`),
    limit: z.int().min(1).max(100).optional().describe(`The length of a list; ${DEFAULT_LIMIT} unless said.`),
    attributes: z.array(z.string().max(500)).max(100).optional().describe('What a list tells of each entity.'),
  })
  .check(refuseUnstorable)
