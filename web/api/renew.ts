import { queries } from './queries.ts'

/** Asks again for all that is known of these collections or objects: `tickets` is the lists of tickets, each ticket and what is below it. */
export function renew(...paths: readonly string[]): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey: [key] }) => paths.some((path) => key === path || String(key).startsWith(`${path}/`)),
  })
}
