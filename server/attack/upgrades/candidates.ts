import type { Framework } from '../frameworks/framework.ts'
import type { StoredFramework } from './stored.ts'

/** What becomes of objects that use a dead node: it is replaced, a user chooses, or they keep it because nothing takes its place. */
export type Fate = 'remapped' | 'review' | 'kept'

/** A node that is dead in a version, and what becomes of objects that use it. */
export interface Candidate {
  readonly id: string
  /** The live nodes that take its place. */
  readonly successors: readonly string[]
  readonly outcome: Fate
}

/** The nodes that are dead in a version and have successors, or die with it. The version must have its completed nodes. */
export function candidatesIn(stored: StoredFramework, { nodes }: Framework): Candidate[] {
  const given = new Map(nodes.map((node) => [node.id, node]))
  const dying = stored.nodes.filter(({ id, state }) => state === 'live' && given.get(id)?.state !== 'live')
  const dead = nodes.filter(({ state, successors }) => state !== 'live' && successors.length > 0)
  const ids = [...new Set([...dying, ...dead].map(({ id }) => id))].sort()
  return ids.map((id) => {
    const successors = given.get(id)?.successors ?? []
    return { id, successors, outcome: fateOf(successors) }
  })
}

/** What becomes of objects that use a node with these successors. */
export const fateOf = (successors: readonly string[]): Fate =>
  successors.length === 0 ? 'kept' : successors.length === 1 ? 'remapped' : 'review'
