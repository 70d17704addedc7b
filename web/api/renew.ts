import { queries } from './queries.ts'

/** Refetches cached data of collections or objects: `tickets` covers ticket lists, every ticket and its nested resources. */
export function renew(...paths: readonly string[]): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey: [key] }) => paths.some((path) => key === path || String(key).startsWith(`${path}/`)),
  })
}
