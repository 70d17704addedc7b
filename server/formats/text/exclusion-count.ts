import type { Excluded } from '../finding.ts'

/** Maximum number of observables named per list. All of them are counted. */
const MAX_LISTED_OBSERVABLES = 100

/** Counts excluded observables per exclusion list. */
export interface ExclusionCount {
  add(list: string, observable: { readonly type: string; readonly value: string }): void
  /** Returns the counts since the last call. */
  take(): Excluded[]
}

export function countExclusions(): ExclusionCount {
  const lists = new Map<string, { count: number; readonly observables: { type: string; value: string }[] }>()
  return {
    add(list, { type, value }) {
      const counted = lists.get(list) ?? { count: 0, observables: [] }
      counted.count++
      if (counted.observables.length < MAX_LISTED_OBSERVABLES) counted.observables.push({ type, value })
      lists.set(list, counted)
    },
    take() {
      const taken = Array.from(lists, ([list, counted]) => ({ list, ...counted }))
      lists.clear()
      return taken
    },
  }
}
