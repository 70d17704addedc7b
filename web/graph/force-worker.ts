import iterate from 'graphology-layout-forceatlas2/iterate.js'
import type { ForceMove, ForceTask } from './force.ts'

/** How often positions are reported. */
const REPORT_INTERVAL_MS = 60

/** Runs a force layout in a worker, so that the page stays responsive. */
self.onmessage = ({ data: { nodes, edges, settings, rounds } }: MessageEvent<ForceTask>) => {
  let reportedAt = performance.now()
  for (let round = 1; round <= rounds; round++) {
    iterate(settings, nodes, edges)
    if (round === rounds || performance.now() - reportedAt > REPORT_INTERVAL_MS) {
      const move: ForceMove = { nodes: nodes.slice(), isDone: round === rounds }
      self.postMessage(move)
      reportedAt = performance.now()
    }
  }
}
