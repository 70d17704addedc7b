import { type AggregateNode, aggregateKey, type Drawing, type GraphNode, type Group, neighboursIn } from './model.ts'
import { aggregateName } from './names.ts'

/** Larger groups are shown as one node. */
export const MAX_GROUP_SIZE = 25

/** The number of members to add when a group is opened. */
export const PIECE_SIZE = 50

/** The keys of the members of a group that are shown. */
export function membersIn(drawing: Drawing, of: string, group: Group): ReadonlySet<string> {
  const members = new Set<string>()
  const isMember = (key: string) => {
    const node = drawing.nodes.get(key)
    return node !== undefined && node.kind !== 'aggregate' && node.type === group.type
  }
  for (const { kind, source, target, label } of drawing.edges.values()) {
    if (kind === 'relationship') {
      if (group.kind !== 'relationship' || label !== group.key) continue
      const [near, far] = group.direction === 'out' ? [source, target] : [target, source]
      if (near === of && isMember(far)) members.add(far)
    } else if (group.kind !== 'relationship') {
      const [near, far] = group.kind === 'observable' ? [source, target] : [target, source]
      if (near === of && isMember(far)) members.add(far)
    }
  }
  return members
}

/** The number of members of a group that are not shown individually. */
export const remainingOf = (drawing: Drawing, { of, group }: AggregateNode): number =>
  Math.max(0, group.count - membersIn(drawing, of, group).size)

/** The label of a node; for aggregates, the number of members. */
export function labelOf(drawing: Drawing, node: GraphNode): string {
  if (node.kind === 'entity') return node.title
  return node.kind === 'observable' ? node.display_value : aggregateName(node.group, remainingOf(drawing, node))
}

/** Removes aggregates without remaining members. */
export function withoutEmpty(drawing: Drawing): Drawing {
  const empty = [...drawing.nodes].filter(([, node]) => node.kind === 'aggregate' && remainingOf(drawing, node) === 0)
  if (empty.length === 0) return drawing
  const nodes = new Map(drawing.nodes)
  const positions = new Map(drawing.positions)
  for (const [key] of empty) {
    nodes.delete(key)
    positions.delete(key)
  }
  return { ...drawing, nodes, positions }
}

/** Reads a part of a group from an offset: the keys of its members, and the next offset. */
export type ReadPart = (offset: number) => Promise<{ readonly keys: readonly string[]; readonly next: number | null }>

/**
 * The next members of a group that are not shown yet, and the next offset. Members that were added in another way, or removed
 * again, can be anywhere in the group, so at its end the search restarts once from the beginning.
 */
export async function nextPiece(
  read: ReadPart,
  isDrawn: (key: string) => boolean,
  offset: number,
  most: number,
): Promise<{ readonly keys: readonly string[]; readonly offset: number }> {
  const keys = new Set<string>()
  let at = offset
  let mayRestart = offset > 0
  for (;;) {
    const part = await read(at)
    for (const [i, key] of part.keys.entries()) {
      if (isDrawn(key) || keys.has(key)) continue
      keys.add(key)
      if (keys.size === most) return { keys: [...keys], offset: at + i + 1 }
    }
    if (part.next === null && !mayRestart) return { keys: [...keys], offset: 0 }
    if (part.next === null) mayRestart = false
    at = part.next ?? 0
  }
}

/** Whether expanding a group would add too many nodes at once. */
export const isLarge = (drawing: Drawing, of: string, group: Group): boolean =>
  group.count - membersIn(drawing, of, group).size > MAX_GROUP_SIZE

/** Whether a group is already shown as one node. */
export const isAggregated = (drawing: Drawing, of: string, group: Group): boolean =>
  drawing.nodes.has(aggregateKey(of, group))

/** The number of neighbours of a node, without aggregates. */
export const degreeOf = (drawing: Drawing, key: string): number =>
  [...(neighboursIn(drawing).get(key) ?? [])].filter((other) => drawing.nodes.get(other)?.kind !== 'aggregate').length
