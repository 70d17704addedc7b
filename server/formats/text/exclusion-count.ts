import type { Excluded } from '../finding.ts'

/** How many observables of each list are named; all are counted. */
const MOST_NAMED = 100

/** Counts observables that were left out, by the lists that exclude them. */
export interface ExclusionCount {
  add(list: string, observable: { readonly type: string; readonly value: string }): void
  /** What was counted since the last time. */
  take(): Excluded[]
}

export function countExclusions(): ExclusionCount {
  const lists = new Map<string, { count: number; readonly observables: { type: string; value: string }[] }>()
  return {
    add(list, { type, value }) {
      const counted = lists.get(list) ?? { count: 0, observables: [] }
      counted.count++
      if (counted.observables.length < MOST_NAMED) counted.observables.push({ type, value })
      lists.set(list, counted)
    },
    take() {
      const taken = Array.from(lists, ([list, counted]) => ({ list, ...counted }))
      lists.clear()
      return taken
    },
  }
}
