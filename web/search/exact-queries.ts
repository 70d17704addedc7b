import { CallError, call } from '../api/call.ts'
import { type Page, searchOf } from '../api/lists.ts'
import type { Consolidation } from '../domain/consolidations.ts'
import { chunks, idsQuery, MAX_IDS_PER_QUERY, type Selection, selectedQueries } from './selection.ts'

/** At most this many entities are read by id when contributors are hidden. */
export const MAX_READ_IDS = 20_000

const PAGE_SIZE = 2_000

/**
 * Queries that match exactly the selected entities. A query also finds the contributors that are hidden behind unified entities; if
 * there are any, all results are read, so that only those that the user has seen are changed.
 */
export async function exactQueries(
  selection: Selection,
  whole: string,
  view: Consolidation,
): Promise<readonly string[]> {
  const queries = selectedQueries(selection, whole)
  if (!selection.isAll || view !== 'unified') return queries
  const [query = '*:*'] = queries
  const [every, seen] = await Promise.all([countOf(query, 'all'), countOf(query, view)])
  if (every === seen) return queries
  if (seen > MAX_READ_IDS) throw tooMany(seen)
  return chunks(await idsOf(query, view), MAX_IDS_PER_QUERY).map(idsQuery)
}

const tooMany = (seen: number): CallError => {
  const detail = `${seen.toLocaleString('en')} entities are too many while contributors are hidden: at most ${MAX_READ_IDS.toLocaleString('en')} can be changed at once. Choose “All” or “Contributors” above the results, or narrow the search.`
  return new CallError(400, [{ status: 400, title: 'Too many entities', detail }])
}

async function countOf(query: string, consolidation: Consolidation): Promise<number> {
  const parameters = { query, consolidation, data: false, 'meta[total_resources_aggregated]': 0 }
  return (await call<{ total_count: number }>('GET', `entities${searchOf(parameters)}`)).total_count
}

async function idsOf(query: string, consolidation: Consolidation): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const from = cursor === '' ? {} : { 'page[cursor]': cursor }
    const parameters = { query, consolidation, attributes: 'id', sort: 'created_at', limit: PAGE_SIZE, ...from }
    const page: Page<{ readonly id: string }> = await call('GET', `entities${searchOf(parameters)}`)
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.cursor
  }
  return ids
}
