/** The number of steps that can be undone. */
const MAX_STEPS = 100

interface Step<T> {
  readonly label: string
  readonly state: T
}

/** The current state, the states before each step, and the undone states. */
export interface History<T> {
  readonly past: readonly Step<T>[]
  readonly present: T
  readonly future: readonly Step<T>[]
}

export const begin = <T>(present: T): History<T> => ({ past: [], present, future: [] })

/** Adds a step and discards undone ones. */
export const take = <T>({ past, present }: History<T>, label: string, state: T): History<T> => ({
  past: [...past, { label, state: present }].slice(-MAX_STEPS),
  present: state,
  future: [],
})

/** Changes the current state as part of the last step. */
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
