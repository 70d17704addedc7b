import type { Dialect } from '../../engine/dialect.ts'
import { TAXII } from './media-type.ts'

/** The path of the TAXII server. */
export const BASE = '/taxii2'

/** Both authentication schemes, in separate headers because many clients only read the first challenge of a header. */
const CHALLENGES = ['Basic realm="Corvus TAXII", charset="UTF-8"', 'Bearer realm="Corvus TAXII"']

/** Errors as TAXII error messages; several at once are listed in the details. */
export const taxiiDialect: Dialect = {
  base: BASE,
  refuse: ({ status, title, details }, requestId) => {
    const message = {
      title,
      description: details.join(' ').slice(0, MAX_DESCRIPTION_LENGTH),
      error_id: requestId,
      http_status: String(status),
      ...(details.length > 1 && { details: { faults: details } }),
    }
    const headers = status === 401 ? { 'www-authenticate': CHALLENGES } : {}
    return { type: TAXII, text: JSON.stringify(message), headers }
  },
}

const MAX_DESCRIPTION_LENGTH = 4000
