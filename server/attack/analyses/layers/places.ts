import { currentShortName, type Node, type Nodes } from '../../classification/nodes.ts'
import { isLive } from '../../classification/references.ts'
import type { Matrix } from '../../frameworks/framework.ts'

/** A technique as a layer names it. Without a tactic, it stands for all its places. */
export interface NamedTechnique {
  readonly techniqueID: string
  readonly tactic?: string | undefined
}

/** The nodes that a technique of a layer means, and why. */
export interface Places {
  readonly state: 'live' | 'mapped' | 'kept' | 'unknown'
  /** Live ones; for a technique that died without a successor, the dead ones. */
  readonly nodes: readonly Node[]
}

/** Finds the nodes that techniques of layers name, live or dead. */
export function namedIn(nodes: Nodes, matrix: Matrix): (technique: NamedTechnique) => readonly Node[] {
  const tactics = tacticsByName(nodes, matrix)
  return ({ techniqueID, tactic }) => {
    const all = nodes.placesOf(techniqueID).filter((node) => node.matrix === matrix)
    if (tactic === undefined) return all
    const column = tactics.get(tactic.toLowerCase())
    return column ? all.filter((node) => nodes.tacticOf(node) === column) : []
  }
}

/** Finds the nodes that techniques of layers mean in the current version: for dead ones, those that took their place. */
export function placesIn(nodes: Nodes, matrix: Matrix): (technique: NamedTechnique) => Places {
  const named = namedIn(nodes, matrix)
  const tactics = tacticsByName(nodes, matrix)
  const next = (own: readonly Node[]): Node[] =>
    [...new Set(own.flatMap(({ successors }) => successors))].sort().flatMap((id) => nodes.get(id) ?? [])

  return (technique) => {
    const own = named(technique)
    if (own.some(isLive)) return { state: 'live', nodes: own.filter(isLive) }
    if (own.length > 0) {
      const successors = next(own)
      return successors.length > 0 ? { state: 'mapped', nodes: successors } : { state: 'kept', nodes: own }
    }
    // A technique that died may have been below another tactic in an earlier version.
    const elsewhere = named({ techniqueID: technique.techniqueID })
    const column = tactics.get(technique.tactic?.toLowerCase() ?? '')
    const successors = elsewhere.some(isLive)
      ? []
      : next(elsewhere).filter((node) => column !== undefined && nodes.tacticOf(node) === column)
    return successors.length > 0 ? { state: 'mapped', nodes: successors } : { state: 'unknown', nodes: [] }
  }
}

/** The tactics of a matrix by their ids, and by their names in this version and earlier ones. */
function tacticsByName({ all }: Nodes, matrix: Matrix): ReadonlyMap<string, Node> {
  const tactics = all.filter((node) => node.matrix === matrix && node.type === 'tactic')
  // A live tactic may have taken the name of a dead one.
  const inOrder = [...tactics.filter((node) => !isLive(node)), ...tactics.filter(isLive)]
  return new Map(
    inOrder.flatMap((node) => [...node.short_names, node.id.toLowerCase()].map((name) => [name, node] as const)),
  )
}

/** What layers call the tactic of a node: of several names, that of the current version. */
export function tacticName(nodes: Nodes, node: Node): string | undefined {
  const tactic = nodes.tacticOf(node)
  return tactic && currentShortName(tactic)
}
