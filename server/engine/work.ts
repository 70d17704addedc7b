import { AsyncLocalStorage } from 'node:async_hooks'

/** What connections to the database are used for. */
export type Kind = 'read' | 'write' | 'export'

/** Whose a request is: the id of a user, or the network of a client that has not signed in. */
export type Owner = number | string

/** A request while it is served: whose it is, and what it is for. */
export interface Work {
  readonly owner: Owner
  readonly kind: Kind
  /** Aborts when the client has given up. */
  readonly signal: AbortSignal
  /** How many connections it has. */
  held: number
  /** What was started during a request and goes on after it, such as a timer, is no part of it. */
  isOver: boolean
}

/** What runs apart from requests: it has connections of its own, so that neither waits for the other. */
const BACKGROUND = 'background'

const current = new AsyncLocalStorage<Work | typeof BACKGROUND | undefined>()

/** Runs something as part of a request. */
export const duringWork = <T>(work: Work, run: () => T): T => current.run(work, run)

/** Runs something in the background, with all that it starts. */
export const inBackground = <T>(run: () => T): T => current.run(BACKGROUND, run)

/** Runs what belongs to no request and no task, such as what a transaction waits for. */
export const apart = <T>(run: () => T): T => current.run(undefined, run)

/** The request that the running code belongs to; undefined where it belongs to none. */
export function workNow(): Work | undefined {
  const now = current.getStore()
  return now === BACKGROUND || now?.isOver ? undefined : now
}

export const isBackground = (): boolean => current.getStore() === BACKGROUND

/** Binds a function to the current request, wherever it is called from: a stream is read by its client's connection. */
export const staying = <A extends unknown[], R>(run: (...args: A) => R): ((...args: A) => R) => {
  const now = current.getStore()
  return (...args) => current.run(now, () => run(...args))
}
