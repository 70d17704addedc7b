import type { RawBuilder } from 'kysely'
import type { Logger } from 'pino'
import type { Places } from '../../engine/places.ts'
import type { Server } from '../../engine/resource.ts'

/** What a process works with while it follows. */
export interface Surroundings {
  readonly server: Server
  readonly log: Logger
  /** The name under which this process claims followers. */
  readonly claim: string
  /** Aborts when calls to other servers are to be cut off. */
  readonly signal: AbortSignal
  /** Lets only a few of the owners that wait for other servers read the database at the same time. */
  readonly reading: Places
}

/** Something that reads the log of changes and keeps its position in the table `followers`. */
export interface Follower {
  readonly name: string
  /** How many of its owners a process works for at the same time. */
  readonly concurrency: number
  /** Where it follows for many owners: which rows `f` of `followers` are due. Their rows come and go with the owners. */
  readonly due?: RawBuilder<unknown>
  /** Handles what comes next for an owner; gives whether more can be read now. */
  advance(surroundings: Surroundings, owner: number): Promise<boolean>
}
