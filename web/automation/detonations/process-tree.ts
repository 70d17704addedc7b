import type { Detonation } from './detonation-queries.ts'

type Process = Detonation['processes'][number]

/** A process with those that it started. */
export interface ProcessNode {
  readonly key: string
  readonly process: Process
  readonly children: readonly ProcessNode[]
}

/** The processes below those that started them. Those whose parent is not in the report, or is started by them, are at the top. */
export function processTree(processes: readonly Process[]): readonly ProcessNode[] {
  // Process ids are used again: the first process with an id is the parent of all that name it.
  const byPid = new Map<number, number>()
  for (const [i, { pid }] of processes.entries()) if (pid !== null && !byPid.has(pid)) byPid.set(pid, i)
  const parents = processes.map(({ parent }, i) => {
    const at = parent === null ? undefined : byPid.get(parent)
    return at === i ? undefined : at
  })
  const isInCircle = (start: number): boolean => {
    const seen = new Set<number>()
    let at = parents[start]
    while (at !== undefined && !seen.has(at)) {
      if (at === start) return true
      seen.add(at)
      at = parents[at]
    }
    return false
  }
  const below = new Map<number | undefined, number[]>()
  for (const i of processes.keys()) {
    const parent = isInCircle(i) ? undefined : parents[i]
    below.set(parent, [...(below.get(parent) ?? []), i])
  }
  const nodesOf = (parent: number | undefined): readonly ProcessNode[] =>
    (below.get(parent) ?? []).flatMap((i) => {
      const process = processes[i]
      return process ? [{ key: String(i), process, children: nodesOf(i) }] : []
    })
  return nodesOf(undefined)
}
