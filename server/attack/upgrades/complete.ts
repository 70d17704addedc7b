import type { Framework, FrameworkNode, NodeState } from '../frameworks/framework.ts'

/** A node as it is stored, as far as the next version may leave it out. */
export interface StoredNode extends Omit<FrameworkNode, 'short_name'> {
  readonly short_names: readonly string[]
}

/**
 * Adds stored nodes that a version does not have, if something in it takes their place. A technique that moves to another tactic gets its new
 * places as successors: publishers tell only of what is revoked.
 */
export function completed(framework: Framework, stored: readonly StoredNode[]): Framework {
  const given = new Map(framework.nodes.map((node) => [node.id, node]))
  const places = Map.groupBy(framework.nodes.filter(isPlace), ({ external_id }) => external_id)
  const known = new Set(stored.filter(isLive).map(({ id }) => id))
  const left = stored.filter(({ id }) => !given.has(id))
  const moved = left.filter(isLive).flatMap((node) => {
    const successors = placesInstead(node, places.get(node.external_id) ?? [], known)
    return successors.length === 0 ? [] : [withSuccessors(node, successors)]
  })
  for (const node of moved) given.set(node.id, node)
  const dead = left.flatMap((node) => {
    const successors = isLive(node) ? [] : [...new Set(node.successors.flatMap((id) => endsOf(given.get(id))))].sort()
    return successors.length === 0 ? [] : [withSuccessors(node, successors)]
  })
  return { ...framework, nodes: [...framework.nodes, ...moved, ...dead] }
}

/** Dead nodes come last. */
const LAST = 1_000_000

const withSuccessors = ({ short_names, ...node }: StoredNode, successors: readonly string[]): FrameworkNode => ({
  ...node,
  short_name: short_names.at(-1) ?? null,
  position: node.position >= LAST ? node.position : LAST + node.position,
  state: isLive(node) ? 'deprecated' : node.state,
  successors,
})

/** Where a technique is in the next version that has left one of its tactics. Tactics that it has joined come first. */
function placesInstead(node: StoredNode, places: readonly FrameworkNode[], known: ReadonlySet<string>): string[] {
  const live = places.filter(isLive)
  if (live.length > 0) {
    const joined = live.filter(({ id }) => !known.has(id))
    return (joined.length > 0 ? joined : live).map(({ id }) => id).sort()
  }
  const all = [...new Set(places.flatMap(({ successors }) => successors))]
  const same = all.filter((id) => tacticIn(id) === tacticIn(node.id))
  return (same.length > 0 ? same : all).sort()
}

/** The live nodes that stand for a node of the next version. */
const endsOf = (node: FrameworkNode | undefined): readonly string[] =>
  node === undefined ? [] : isLive(node) ? [node.id] : node.successors

const tacticIn = (id: string): string => id.split(':')[0] ?? id

const isLive = ({ state }: { readonly state: NodeState }): boolean => state === 'live'

const isPlace = ({ type }: FrameworkNode): boolean => type === 'technique' || type === 'subtechnique'
