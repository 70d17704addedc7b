import { z } from 'zod'
import { badRequest } from '../../engine/errors.ts'
import { computed } from '../../engine/field.ts'
import { toId, toUrl } from '../../engine/reference.ts'

/** A read-only URL of the entity in a column of `t`, which may be deleted by now. Filters accept ids and URLs. */
export const entityUrl = (column: string) =>
  computed('uuid', z.url().meta({ format: 'uri' }), `t.${column}`, entityId).shownAs((baseUrl, id) =>
    toUrl(baseUrl, 'entities', String(id)),
  )

/** The id of an entity in a filter. */
function entityId(text: string): string {
  const id = toId('entities', text)
  if (id === undefined) throw badRequest(`'${text.slice(0, 80)}' is not the id or URL of an entity.`)
  return String(id)
}
