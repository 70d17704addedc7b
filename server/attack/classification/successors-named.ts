import type { Nodes } from './nodes.ts'
import { isLive } from './references.ts'

/** How a query names nodes: a whole id in any case, which hundreds of terms may be, or a test of ids. */
export type Naming = string | ((id: string) => boolean)

/**
 * The live nodes that took the place of dead ones that a query names, so that queries survive upgrades. One that also names live nodes means
 * what it says.
 */
export function successorsNamed(nodes: Nodes, naming: Naming): readonly string[] {
  const named = typeof naming === 'string' ? nodes.inAnyCase(naming) : nodes.all.filter(({ id }) => naming(id))
  return named.some(isLive) ? [] : [...new Set(named.flatMap(({ successors }) => successors))]
}

/** These nodes, and the live ones that took the place of the dead ones among them. */
export const withSuccessors = (nodes: Nodes, ids: readonly string[]): readonly string[] => [
  ...new Set(ids.flatMap((id) => [id, ...(nodes.get(id)?.successors ?? [])])),
]
