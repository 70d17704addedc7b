import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { type Page, searchOf } from '../../api/lists.ts'

/** Which entities to count: those that match a query, those reached through relations, or both. */
export interface Counted {
  readonly query: string
  readonly relational?: unknown
}

/** How long to wait after the last keystroke before counting. */
const DEBOUNCE_MS = 300

/** Counts matching entities exactly. */
async function countEntities({ query, relational }: Counted, signal: AbortSignal): Promise<number> {
  if (relational === undefined) {
    const search = searchOf({ query, data: false, 'meta[total_resources_aggregated]': 0 })
    return (await call<Pick<Page<unknown>, 'total_count'>>('GET', `entities${search}`, undefined, signal)).total_count
  }
  const data = {
    ...(query.trim() !== '' && { entities_query: query }),
    relational_query: relational,
    dry_run: true,
    // The export dry run is the only read-only request that accepts relations.
    content_type: 'urn:eclecticiq.com:json:3.2',
    content_configuration: { observables: { include: false }, consolidation: 'all' },
  }
  return (await call<{ data: { count: number } }>('POST', 'entities/by-query/export', { data }, signal)).data.count
}

/** The number of matching entities while the user types; syntax errors are returned as `error`. */
export function useLiveCount(counted: Counted) {
  const text = JSON.stringify(counted)
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS)
  const asked = JSON.parse(settled) as Counted
  const found = useQuery({
    queryKey: ['entities', 'count', asked],
    queryFn: ({ signal }) => countEntities(asked, signal),
    enabled: asked.query.trim() !== '' || asked.relational !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { ...found, isBehind: text !== settled || found.isFetching }
}
