import type { Origin } from '../finding.ts'
import type { Json } from '../json/record.ts'
import { stixTimeOf } from '../stix2/times.ts'

/** When an item of a document was created and its version made, unless its data says so; older documents have the server's times. */
export function originIn(item: Json, data: Json): { readonly origin?: Origin } {
  const created = data.created === undefined ? stixTimeOf(item.created ?? item.created_at) : undefined
  const modified = data.modified === undefined ? stixTimeOf(item.modified ?? item.last_updated_at) : undefined
  if (created === undefined && modified === undefined) return {}
  return { origin: { ...(created && { created }), ...(modified && { modified }) } }
}
