import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { Page } from '../../api/lists.ts'
import type { Taxonomy } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'

const MAX_TAXONOMIES = 2_000

const pathsQuery = queryOptions({
  queryKey: ['taxonomies', 'paths'],
  queryFn: async ({ signal }) => {
    const path = `taxonomies?attributes=id,path&limit=${MAX_TAXONOMIES}`
    const { data } = await call<Page<Pick<Taxonomy, 'id' | 'path'>>>('GET', path, undefined, signal)
    return new Map(data.map((each) => [String(each.id), each.path.join('/')]))
  },
  staleTime: 60_000,
})

const NO_PATHS: ReadonlyMap<string, string> = new Map()

/** Taxonomy paths by id; empty without the permission to read them. */
export function useTaxonomyPaths(): ReadonlyMap<string, string> {
  const may = useMay()
  const { data } = useQuery({ ...pathsQuery, enabled: may('read taxonomies') })
  return data ?? NO_PATHS
}
