import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { makeId } from '../../engine/ids.ts'
import { createSemaphore } from '../../engine/semaphore.ts'
import type { Server } from '../../server.ts'
import { repeat } from '../pace.ts'
import type { Worker } from '../worker.ts'
import { claimFollowers, releaseClaim } from './claims.ts'
import type { Follower, Surroundings } from './follower.ts'

const POLL_MS = 1000
const GRACE_MS = 3000
const READERS_AT_ONCE = 2

interface Parts {
  readonly server: Server
  readonly log: Logger
  readonly followers: readonly Follower[]
}

/** Runs followers until it is stopped. Each has a loop of its own, so that one that fails or waits does not stop the others. */
export function startFollowers({ server, log, followers }: Parts): Worker {
  const closing = new AbortController()
  const cutOff = new AbortController()
  const surroundings = {
    server,
    log,
    claim: makeId(),
    signal: cutOff.signal,
    reading: createSemaphore(READERS_AT_ONCE),
  }
  const running = new Set<Promise<void>>()
  const loops = followers.map((follower) => follow(follower, surroundings, closing.signal, running))
  return {
    stop: async () => {
      closing.abort()
      await Promise.all(loops)
      // An answer that is not waited for is a delivery that comes twice.
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
      if (!closing.aborted) log.warn({ err: error, follower: name, owner }, 'a follower failed; it is tried again')
      // A fault of ours must not become a loop without a pause.
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
      // Its own lease may have run out while it works.
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
