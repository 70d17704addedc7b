import type { RawBuilder } from 'kysely'
import type { Logger } from 'pino'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { retried } from '../../engine/retried.ts'
import { NOBODY } from '../../engine/route.ts'
import type { Semaphore } from '../../engine/semaphore.ts'
import type { Server } from '../../server.ts'
import { type Change, readChanges, readTip } from './change-log.ts'
import { type ClaimedKey, movePosition, postpone, renewClaim } from './claims.ts'

/** What a follower works with. */
export interface Surroundings {
  readonly server: Server
  readonly log: Logger
  /** The name under which this process claims followers. */
  readonly claim: string
  /** Aborts when calls to other servers must end. */
  readonly signal: AbortSignal
  /** Limits how many owners read the database in parallel. */
  readonly reading: Semaphore
}

/** A consumer of the change log that keeps its position in the table `followers`. */
export interface Follower {
  readonly name: string
  /** How many owners a process serves in parallel. */
  readonly concurrency: number
  /** For a follower with many owners, whether the row `f` of `followers` is due. Rows are created and deleted with their owners. */
  readonly due?: RawBuilder<unknown>
  /** Handles the next changes for an owner; gives whether more can be read now. */
  advance(surroundings: Surroundings, owner: number): Promise<boolean>
}

/** The definition of a follower. */
export interface FollowerDefinition {
  readonly name: string
  /** Changes of other collections are skipped. */
  readonly collections: readonly Resource['collection'][]
  /** The most objects in a batch. */
  readonly batchSize?: number
  /** Whether no change would have an effect, so that all are skipped unread. */
  isIdle?(server: Server): Promise<boolean>
  /**
   * Reacts to changes, in the order of the log. `ctx.db` is the transaction that moves the position as well: both commit, or
   * neither. Effects outside the database do not belong here, because a batch may be handled again. A change with many
   * objects may come in several batches.
   */
  handle(ctx: Context, changes: readonly Change[]): Promise<void>
}

/** A follower whose effects are in the database: each change takes effect exactly once. */
export function defineFollower(definition: FollowerDefinition): Follower {
  const { name } = definition
  return {
    name,
    concurrency: 1,
    advance: async ({ server, log, claim }, owner) => {
      const key = { name, owner, claim }
      try {
        return await retried(() => handleNext(definition, server, key))
      } catch (error) {
        await postpone(server.db, key, error)
        log.warn({ err: error, follower: name }, 'a follower failed; it is tried again')
        return false
      }
    },
  }
}

async function handleNext(definition: FollowerDefinition, server: Server, key: ClaimedKey): Promise<boolean> {
  const { collections, batchSize = 1000, isIdle, handle } = definition
  const position = await renewClaim(server.db, key)
  if (!position) return false
  // Read before asking isIdle, so that changes after a rule is added in between are not skipped.
  const tip = await readTip(server.db)
  if (await isIdle?.(server)) {
    await movePosition(server.db, key, position, tip)
    return false
  }
  const { changes, end, isLast } = await readChanges(server.db, position, collections, batchSize)
  const wanted = changes.filter(({ ids }) => ids.length > 0)
  if (wanted.length === 0) return (await movePosition(server.db, key, position, end)) && !isLast
  const isHandled = await server.db.transaction().execute(async (db) => {
    const ctx: Context = { ...server, db, lookup: undefined, caller: NOBODY, baseUrl: '' }
    // First, so that its lock keeps a process with an expired lease from handling the same changes.
    if (!(await movePosition(ctx.db, key, position, end))) return false
    await handle(ctx, wanted)
    return true
  })
  return isHandled && !isLast
}
