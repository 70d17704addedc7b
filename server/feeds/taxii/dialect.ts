import type { Dialect } from '../../engine/dialect.ts'
import { TAXII } from './media-type.ts'

/** Where everything of TAXII is. */
export const BASE = '/taxii2'

/** Both ways to say who one is, each in a header of its own: many clients read no further than the first. */
const CHALLENGES = ['Basic realm="Corvus TAXII", charset="UTF-8"', 'Bearer realm="Corvus TAXII"']

/** Faults as the error message of TAXII; several at once stand in its details. */
export const taxiiDialect: Dialect = {
  base: BASE,
  refuse: ({ status, title, details }, requestId) => {
    const message = {
      title,
      description: details.join(' ').slice(0, LONGEST),
      error_id: requestId,
      http_status: String(status),
      ...(details.length > 1 && { details: { faults: details } }),
    }
    const headers = status === 401 ? { 'www-authenticate': CHALLENGES } : {}
    return { type: TAXII, text: JSON.stringify(message), headers }
  },
}

const LONGEST = 4000
