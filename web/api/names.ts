import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from './call.ts'
import { idOf, type Page } from './lists.ts'
import { selfQuery } from './self.ts'
import { useMay } from './session.ts'
import { unknownName } from './unknown-name.ts'

/** Collections whose objects are selected by name, with the permission needed to read them. */
const NAMED_COLLECTIONS = {
  workspaces: { permission: 'read workspaces', attribute: 'name' },
  datasets: { permission: 'read intel-sets', attribute: 'name' },
  sources: { permission: 'read sources', attribute: 'name' },
  groups: { permission: 'read groups', attribute: 'name' },
  tasks: { permission: 'read tasks', attribute: 'name' },
  users: { permission: 'read users', attribute: 'username' },
  'csv-mappings': { permission: 'read configurations', attribute: 'name' },
  enrichers: { permission: 'read enrichers', attribute: 'name' },
  detonators: { permission: 'read detonators', attribute: 'task_name' },
  playbooks: { permission: 'read playbooks', attribute: 'name' },
  'consolidation-rules': { permission: 'read rules', attribute: 'name' },
  'discovery-rules': { permission: 'read discovery-rules', attribute: 'name' },
} as const

export type NamedCollection = keyof typeof NAMED_COLLECTIONS

/** The largest page of the API; longer lists are cut off. */
const MAX_NAMES = 2_000

/** The names of a collection by object id. */
export const namesQuery = (collection: NamedCollection) =>
  queryOptions({
    queryKey: [collection, 'names'],
    queryFn: async ({ signal }) => {
      const { attribute } = NAMED_COLLECTIONS[collection]
      const path = `${collection}?attributes=id,${attribute}&sort=${attribute}&limit=${MAX_NAMES}`
      const { data } = await call<Page<Record<string, string | number>>>('GET', path, undefined, signal)
      return new Map(data.map((each) => [String(each.id), String(each[attribute])]))
    },
    staleTime: 60_000,
  })

/** The names of a collection; without the permission, users see only their own name. */
export function useNames(collection: NamedCollection): ReadonlyMap<string, string> {
  const mayRead = useMay()(NAMED_COLLECTIONS[collection].permission)
  const { data } = useQuery({ ...namesQuery(collection), enabled: mayRead })
  const isSelfOnly = collection === 'users' && !mayRead
  const { data: self } = useQuery({ ...selfQuery, enabled: isSelfOnly })
  const own = useMemo(() => (self ? new Map([[String(self.id), self.username]]) : NO_NAMES), [self])
  return isSelfOnly ? own : (data ?? NO_NAMES)
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()

/** The name of a referenced object, or a placeholder if it is not readable. */
export const nameOf = (names: ReadonlyMap<string, string>, url: string): string =>
  names.get(idOf(url)) ?? unknownName(url)
