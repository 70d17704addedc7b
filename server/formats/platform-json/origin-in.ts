import type { Origin } from '../finding.ts'
import type { Json } from '../json/record.ts'
import { stixTimeOf } from '../stix2/times.ts'

/** Returns the creation and modification times of an item unless its data contains them. Older documents have the times of the server. */
export function originIn(item: Json, data: Json): { readonly origin?: Origin } {
  const created = data.created === undefined ? stixTimeOf(item.created ?? item.created_at) : undefined
  const modified = data.modified === undefined ? stixTimeOf(item.modified ?? item.last_updated_at) : undefined
  if (created === undefined && modified === undefined) return {}
  return { origin: { ...(created && { created }), ...(modified && { modified }) } }
}
