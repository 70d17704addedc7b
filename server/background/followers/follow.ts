import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { makeId } from '../../engine/ids.ts'
import { createSemaphore } from '../../engine/semaphore.ts'
import type { Server } from '../../server.ts'
import { repeat } from '../pace.ts'
import type { Worker } from '../worker.ts'
import { claimFollowers, recordError, releaseClaim } from './claims.ts'
import type { Follower, Surroundings } from './follower.ts'

const POLL_MS = 1000
const GRACE_MS = 3000
const MAX_PARALLEL_READS = 2

interface Parts {
  readonly server: Server
  readonly log: Logger
  readonly followers: readonly Follower[]
}

/** Runs followers until stopped. Each has its own loop, so that one that fails or waits does not stop the others. */
export function startFollowers({ server, log, followers }: Parts): Worker {
  const closing = new AbortController()
  const cutOff = new AbortController()
  const surroundings = {
    server,
    log,
    claim: makeId(),
    signal: cutOff.signal,
    reading: createSemaphore(MAX_PARALLEL_READS),
  }
  const running = new Set<Promise<void>>()
  const loops = followers.map((follower) => follow(follower, surroundings, closing.signal, running))
  return {
    stop: async () => {
      closing.abort()
      await Promise.all(loops)
      // A delivery whose response is not awaited would be sent twice.
      await Promise.race([Promise.all(running), sleep(GRACE_MS, undefined, { ref: false })])
      cutOff.abort()
      await Promise.all(running)
    },
  }
}

function follow(
  follower: Follower,
  surroundings: Surroundings,
  closing: AbortSignal,
  running: Set<Promise<void>>,
): Promise<void> {
  const { server, log, claim } = surroundings
  const { name, concurrency, due } = follower
  const working = new Set<number>()

  const work = async (owner: number): Promise<void> => {
    try {
      while (!closing.aborted && (await follower.advance(surroundings, owner))) {}
    } catch (error) {
      if (!closing.aborted) {
        log.warn({ err: error, follower: name, owner }, 'a follower failed and will be tried again')
        // If the database is unavailable, the log line has to do.
        await recordError(server.db, { name, owner, claim }, error).catch(() => {})
      }
      // Without a pause, a follower that always throws would be tried in a tight loop.
      await sleep(POLL_MS, undefined, { signal: closing }).catch(() => {})
    }
    await releaseClaim(server.db, { name, owner, claim }).catch((error) =>
      log.warn({ err: error, follower: name, owner }, 'a follower stays claimed until its lease ends'),
    )
    working.delete(owner)
  }
  const claimDue = async (): Promise<void> => {
    const room = concurrency - working.size
    if (room <= 0) return
    for (const owner of await claimFollowers(server.db, { name, claim }, room, due)) {
      // The lease may have expired while this process still works on it.
      if (working.has(owner)) continue
      working.add(owner)
      const step = work(owner).finally(() => running.delete(step))
      running.add(step)
    }
  }
  return repeat(log, `claiming the follower ${name}`, closing, claimDue, () =>
    sleep(POLL_MS, undefined, { signal: closing }),
  )
}
