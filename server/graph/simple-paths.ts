/** The neighbours of each node; every edge is listed at both ends. */
export type Adjacency = ReadonlyMap<string, ReadonlySet<string>>

/** The remaining effort for one response: in a dense graph, most walks lead back to visited nodes. */
export interface Effort {
  left: number
}

/**
 * Yields the simple paths of exactly this length, ordered by their nodes. Only nodes from which the end can be
 * reached in the remaining steps are tried. Stops early when the effort is used up.
 */
export function* simplePaths(
  edges: Adjacency,
  from: string,
  to: string,
  length: number,
  effort: Effort,
): Generator<string[]> {
  const distances = distancesTo(edges, to, length)
  if ((distances.get(from) ?? length + 1) > length) return
  const path = [from]
  const onPath = new Set(path)
  const open = [choices(edges, from, distances, length - 1)]
  while (open.length > 0) {
    const next = open.at(-1)?.pop()
    if (next === undefined) {
      open.pop()
      onPath.delete(path.pop() ?? '')
      continue
    }
    if (effort.left-- <= 0) return
    // The end node may occur only at the end.
    if (onPath.has(next) || (next === to) !== (path.length === length)) continue
    if (next === to) {
      yield [...path, to]
      continue
    }
    path.push(next)
    onPath.add(next)
    open.push(choices(edges, next, distances, length - path.length))
  }
}

/** The next nodes from which the end is within reach, the first choice last. */
const choices = (edges: Adjacency, node: string, distances: ReadonlyMap<string, number>, left: number): string[] =>
  [...(edges.get(node) ?? [])]
    .filter((next) => (distances.get(next) ?? left + 1) <= left)
    .sort()
    .reverse()

/** The distance of each node from the end, up to the length. */
function distancesTo(edges: Adjacency, to: string, length: number): Map<string, number> {
  const distances = new Map([[to, 0]])
  const seen = new Set([to])
  let frontier = [to]
  for (let steps = 1; steps <= length && frontier.length > 0; steps++) {
    frontier = nextTo(edges, frontier, seen)
    for (const node of frontier) distances.set(node, steps)
  }
  return distances
}

/** The unseen neighbours of these nodes, which are then marked as seen. */
export function nextTo(edges: Adjacency, nodes: readonly string[], seen: Set<string>): string[] {
  const next: string[] = []
  for (const node of nodes) {
    for (const other of edges.get(node) ?? []) {
      if (seen.has(other)) continue
      seen.add(other)
      next.push(other)
    }
  }
  return next
}
