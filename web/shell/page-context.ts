import type { PageContext } from '../ai/assistant/conversation.ts'
import { wholeQuery } from '../search/filters.ts'
import { readState } from '../search/search-state.ts'

const ENTITY = /^\/entities\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\/|$)/i

/** What an address shows, as far as questions can be about it: an entity, also in the preview of a search, or search results. */
export function pageContext(path: string, search: Readonly<Record<string, unknown>>): PageContext {
  const [, entity] = ENTITY.exec(path) ?? []
  if (entity !== undefined) return { entity }
  if (path !== '/') return {}
  const { searched, query, filters, look } = readState(search)
  if (searched !== 'entities') return {}
  if (look !== '') return { entity: look }
  const whole = wholeQuery(query, filters)
  return whole === '' ? {} : { search: whole }
}
