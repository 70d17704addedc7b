/** So many steps can be undone. */
const MOST_STEPS = 100

interface Step<T> {
  readonly label: string
  readonly state: T
}

/** What is there now, what was there before each step, and what was undone. */
export interface History<T> {
  readonly past: readonly Step<T>[]
  readonly present: T
  readonly future: readonly Step<T>[]
}

export const begin = <T>(present: T): History<T> => ({ past: [], present, future: [] })

/** Takes a step; what was undone before it is gone. */
export const take = <T>({ past, present }: History<T>, label: string, state: T): History<T> => ({
  past: [...past, { label, state: present }].slice(-MOST_STEPS),
  present: state,
  future: [],
})

/** Changes what is there as a part of the step that led to it. */
export const amend = <T>(history: History<T>, state: T): History<T> => ({ ...history, present: state })

export function undo<T>(history: History<T>): History<T> {
  const last = history.past.at(-1)
  if (!last) return history
  return {
    past: history.past.slice(0, -1),
    present: last.state,
    future: [{ label: last.label, state: history.present }, ...history.future],
  }
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future
  if (!next) return history
  return { past: [...history.past, { label: next.label, state: history.present }], present: next.state, future }
}
