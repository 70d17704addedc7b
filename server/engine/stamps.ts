import { ref, timestamp } from './field.ts'

/** When and by whom an object was created and last updated; set by the engine. */
export const stamps = {
  created_at: timestamp().stamped('created-at'),
  created_by: ref('users').nullable().stamped('created-by'),
  last_updated_at: timestamp().stamped('updated-at'),
  last_updated_by: ref('users').nullable().stamped('updated-by'),
}
