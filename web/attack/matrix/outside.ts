import type { NamedNode } from '../nodes.ts'

/** A node that is no live technique of the matrix on screen. */
export interface OutsideNode extends Pick<NamedNode, 'id' | 'name' | 'type'> {
  readonly matrix: string
  readonly state: 'live' | 'revoked' | 'deprecated'
  readonly successors: readonly string[]
}

/** Something that an entity should not be classified with for ever. */
export interface OddNode {
  readonly id: string
  readonly name: string
  /** For example `revoked`. */
  readonly why: string
  readonly successors: readonly string[]
}

/** Sorts ids outside a matrix: how many are live in which other matrices, and which need attention. */
export function outsideOf(ids: readonly string[], nodes: readonly OutsideNode[], matrix: string) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const others = new Map<string, number>()
  const odd: OddNode[] = []
  for (const id of ids) {
    const node = byId.get(id)
    if (!node) odd.push({ id, name: '', why: 'unknown in this version', successors: [] })
    else if (node.state !== 'live') odd.push({ id, name: node.name, why: node.state, successors: node.successors })
    else if (node.matrix !== matrix) others.set(node.matrix, (others.get(node.matrix) ?? 0) + 1)
    else odd.push({ id, name: node.name, why: node.type, successors: [] })
  }
  return { others: [...others], odd }
}
