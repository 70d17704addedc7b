import type { Point, Points } from './layouts.ts'
import type { Drawing } from './model.ts'

/** The input of the worker: nodes and edges in the format of the layout, and the number of rounds. */
export interface ForceTask {
  readonly nodes: Float32Array
  readonly edges: Float32Array
  readonly settings: object
  readonly rounds: number
}

export interface ForceMove {
  readonly nodes: Float32Array
  readonly isDone: boolean
}

/** Numbers per node: position, previous and current speed, mass, convergence, size, and whether it is fixed. */
const PER_NODE = 10
const PER_EDGE = 3

/** The number of rounds until a graph has settled, fewer for large graphs. */
const roundsFor = (count: number): number => (count < 300 ? 500 : count < 2_000 ? 300 : 120)

/** The visible nodes and edges for the worker. Pinned nodes, and those in `fixed`, do not move. */
export function taskOf(drawing: Drawing, keys: readonly string[], fixed: ReadonlySet<string>): ForceTask {
  const index = new Map(keys.map((key, i) => [key, i]))
  const nodes = new Float32Array(keys.length * PER_NODE)
  for (const [i, key] of keys.entries()) {
    const { x, y, isPinned } = drawing.positions.get(key) ?? { x: 0, y: 0, isPinned: false }
    nodes.set([x, y, 0, 0, 0, 0, 1, 1, 1, isPinned || fixed.has(key) ? 1 : 0], i * PER_NODE)
  }
  const pairs = [
    ...[...drawing.edges.values()].map(({ source, target }) => [source, target] as const),
    ...[...drawing.nodes].flatMap(([key, node]) => (node.kind === 'aggregate' ? [[node.of, key] as const] : [])),
  ]
  const joined = pairs.flatMap(([a, b]) => {
    const [source, target] = [index.get(a), index.get(b)]
    return source === undefined || target === undefined || source === target ? [] : [[source, target] as const]
  })
  const edges = new Float32Array(joined.length * PER_EDGE)
  for (const [i, [source, target]] of joined.entries()) {
    edges.set([source * PER_NODE, target * PER_NODE, 1], i * PER_EDGE)
    for (const end of [source, target]) nodes[end * PER_NODE + 6] = (nodes[end * PER_NODE + 6] ?? 0) + 1
  }
  return { nodes, edges, settings: settingsFor(keys.length), rounds: roundsFor(keys.length) }
}

const settingsFor = (count: number) => ({
  linLogMode: false,
  outboundAttractionDistribution: false,
  adjustSizes: false,
  edgeWeightInfluence: 1,
  scalingRatio: 60,
  strongGravityMode: true,
  gravity: 0.05,
  slowDown: 1 + Math.log(Math.max(2, count)),
  barnesHutOptimize: count > 800,
  barnesHutTheta: 0.6,
})

/** The node positions computed by the worker. */
export const pointsOf = (keys: readonly string[], nodes: Float32Array): Points =>
  new Map(
    keys.map((key, i): [string, Point] => [key, { x: nodes[i * PER_NODE] ?? 0, y: nodes[i * PER_NODE + 1] ?? 0 }]),
  )

/** Runs a force layout in a worker; returns a function that stops it. */
export function runForce(
  task: ForceTask,
  keys: readonly string[],
  on: { readonly move: (points: Points) => void; readonly done: (points: Points) => void },
): () => void {
  const worker = new Worker(new URL('./force-worker.ts', import.meta.url), { type: 'module' })
  let last: Points | undefined
  worker.onmessage = ({ data: { nodes, isDone } }: MessageEvent<ForceMove>) => {
    last = pointsOf(keys, nodes)
    if (isDone) {
      worker.terminate()
      on.done(last)
    } else on.move(last)
  }
  worker.postMessage(task, [task.nodes.buffer, task.edges.buffer])
  return () => {
    worker.onmessage = null
    worker.terminate()
    if (last) on.done(last)
  }
}
