import iterate from 'graphology-layout-forceatlas2/iterate.js'
import type { ForceMove, ForceTask } from './force.ts'

/** So often places are told. */
const TOLD_MS = 60

/** Does the work of a force layout beside the page, so that the page never waits for it. */
self.onmessage = ({ data: { nodes, edges, settings, rounds } }: MessageEvent<ForceTask>) => {
  let told = performance.now()
  for (let round = 1; round <= rounds; round++) {
    iterate(settings, nodes, edges)
    if (round === rounds || performance.now() - told > TOLD_MS) {
      const move: ForceMove = { nodes: nodes.slice(), isDone: round === rounds }
      self.postMessage(move)
      told = performance.now()
    }
  }
}
