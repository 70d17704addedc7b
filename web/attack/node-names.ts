import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { type Page, searchOf } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import type { NamedNode } from './nodes.ts'

/** The number of ids per request, so that addresses stay short. */
const MAX_IDS = 150

const namesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['attacks', 'names of', ids],
    queryFn: async ({ signal }) => {
      const search = searchOf({ 'filter[id]': ids, attributes: 'id,name,external_id', limit: MAX_IDS })
      const { data } = await call<Page<Pick<NamedNode, 'id' | 'name' | 'external_id'>>>(
        'GET',
        `attacks${search}`,
        undefined,
        signal,
      )
      return new Map(data.map(({ id, name, external_id }) => [id, `${external_id} ${name}`]))
    },
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  })

const NONE: ReadonlyMap<string, string> = new Map()

/** The names of some nodes by id, such as `T1566 Phishing`; those that cannot be read are missing. */
export function useNodeNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const mayRead = useMay()('read attack')
  const asked = [...new Set(ids)].sort().slice(0, MAX_IDS)
  const { data } = useQuery({ ...namesQuery(asked), enabled: mayRead && asked.length > 0 })
  return data ?? NONE
}
