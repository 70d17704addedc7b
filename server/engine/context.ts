import type { Server } from '../server.ts'
import type { Cause } from './cause.ts'
import type { Id } from './reference.ts'

/** An object of any resource. */
export type Item = Record<string, unknown>
export type AnyRow = Item & { id: Id }

/** The user who sends a request, and their permissions. */
export interface Caller {
  readonly id: number
  readonly permissions: ReadonlySet<string>
}

/** Encrypts secrets for the database. */
export interface Vault {
  seal(text: string): string
  open(sealed: string): string
}

/** Runs a look-up by key without a connection of the pool; undefined if the pool has to serve it. */
export type Lookup = (text: string, values: readonly unknown[]) => Promise<{ rows: AnyRow[] }> | undefined

/** What operations use. In a write, `db` is the transaction of the request. */
export interface Context extends Server {
  readonly caller: Caller
  readonly baseUrl: string
  /** The automation that causes the writes; logged with every change. */
  readonly cause?: Cause | undefined
  /** Authenticates the caller again, for long responses. Throws a 401 once they are signed out. Absent in background work. */
  readonly renew?: () => Promise<Caller>
  /** Aborts when the client disconnects. Absent in background work. */
  readonly signal?: AbortSignal
  /** The time at which values that depend on time are computed; all pages of a list share it. Default: now. */
  readonly at?: string
}
