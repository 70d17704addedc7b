import { queries } from './queries.ts'

/** Marks cached data of collections or objects as outdated, which refetches what is on screen: `tickets` covers ticket lists, every ticket and its nested resources. */
export function invalidate(...paths: readonly string[]): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey: [key] }) => paths.some((path) => key === path || String(key).startsWith(`${path}/`)),
  })
}
