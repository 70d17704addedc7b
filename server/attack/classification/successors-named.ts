import type { Nodes } from './nodes.ts'
import { isLive } from './references.ts'

/** Whether a query names the node with an id. */
export type IsNamed = (id: string) => boolean

/**
 * The live nodes that took the place of dead ones that a query names, so that queries survive upgrades. One that also names live nodes means
 * what it says.
 */
export function successorsNamed(nodes: Nodes, isNamed: IsNamed): readonly string[] {
  const found = new Set<string>()
  for (const node of nodes.all) {
    if (!isNamed(node.id)) continue
    if (isLive(node)) return []
    for (const id of node.successors) found.add(id)
  }
  return [...found]
}

/** These nodes, and the live ones that took the place of the dead ones among them. */
export const withSuccessors = (nodes: Nodes, ids: readonly string[]): readonly string[] => [
  ...new Set(ids.flatMap((id) => [id, ...(nodes.get(id)?.successors ?? [])])),
]
