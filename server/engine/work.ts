import { AsyncLocalStorage } from 'node:async_hooks'

/** The purpose of a connection to the database. */
export type Kind = 'read' | 'write' | 'export'

/** The owner of a request: the id of a user, or the network of an anonymous client. */
export type Owner = number | string

/** A request while it is served. */
export interface Work {
  readonly owner: Owner
  readonly kind: Kind
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** The number of connections that it holds. */
  held: number
  /** Code that continues after a request, such as a timer, is not part of it. */
  isOver: boolean
}

/** Background work has separate connections, so that it and requests do not wait for each other. */
const BACKGROUND = 'background'

const current = new AsyncLocalStorage<Work | typeof BACKGROUND | undefined>()

/** Runs a function as part of a request. */
export const duringWork = <T>(work: Work, run: () => T): T => current.run(work, run)

/** Runs a function, and everything that it starts, as background work. */
export const inBackground = <T>(run: () => T): T => current.run(BACKGROUND, run)

/** Runs a function that belongs to no request and no task, such as work that a transaction waits for. */
export const outsideWork = <T>(run: () => T): T => current.run(undefined, run)

/** The request that the running code belongs to, if any. */
export function workNow(): Work | undefined {
  const now = current.getStore()
  return now === BACKGROUND || now?.isOver ? undefined : now
}

export const isBackground = (): boolean => current.getStore() === BACKGROUND

/** Binds a function to the current request. Streams need it, because they are read by the events of a connection. */
export const boundToWork = <A extends unknown[], R>(run: (...args: A) => R): ((...args: A) => R) => {
  const now = current.getStore()
  return (...args) => current.run(now, () => run(...args))
}
