import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createAlarm, repeat } from '../../../background/pace.ts'
import type { Worker } from '../../../background/worker.ts'
import { makeId } from '../../../engine/ids.ts'
import type { Server } from '../../../server.ts'
import { notifyOfSuspensions } from '../suspension-notifications.ts'
import { type Claimed, claimLookUps, release } from './claim.ts'
import { finishRuns } from './finish-runs.ts'
import { lookUp } from './look-up.ts'

const POLL_MS = 500
const NOTIFY_MS = 2000
const GRACE_MS = 3000
/** How many look-ups one process runs at the same time, of all enrichers together; besides one of each that has none. */
const MAX_LOOK_UPS = 40
/** An enricher cannot occupy the process, because each claim takes the next look-up of every enricher first. */
const MAX_CLAIMED = 20

interface Parts {
  readonly server: Server
  readonly log: Logger
}

/**
 * Looks observables up until stopped. Each enricher has its own lane with its own concurrency, outside the queue of task runs: a slow
 * source delays neither feeds nor other enrichers.
 */
export function startLanes({ server, log }: Parts): Worker {
  const { db } = server
  const closing = new AbortController()
  const cutOff = new AbortController()
  const alarm = createAlarm()
  const running = new Map<Promise<void>, number>()

  const perform = async (claimed: Claimed): Promise<void> => {
    try {
      await lookUp({ server, log, signal: cutOff.signal }, claimed)
    } catch (error) {
      log.warn({ err: error, enricher: claimed.enricher }, 'a look-up broke off and will be tried again')
      // If the database is unavailable, the lease ends.
      await release(db, claimed, { isCounted: true, pauseSeconds: 5 }).catch(() => {})
    }
  }
  const take = async (): Promise<void> => {
    const room = Math.max(0, Math.min(MAX_CLAIMED, MAX_LOOK_UPS - running.size))
    const busy = [...new Set(running.values())]
    // Each claim has its own value, because a process may claim the same look-up again after its lease ended.
    for (const claimed of await claimLookUps(db, makeId(), room, busy)) {
      const step = perform(claimed).finally(() => {
        running.delete(step)
        alarm.ring()
      })
      running.set(step, claimed.enricher)
    }
  }
  const every = (ms: number) => (signal: AbortSignal) => sleep(ms, undefined, { signal })
  const loops = [
    repeat(log, 'looking observables up', closing.signal, take, () => alarm.wait(POLL_MS)),
    repeat(log, 'ending runs of enrichers', closing.signal, () => finishRuns(db), every(POLL_MS)),
    repeat(
      log,
      'notifying users of suspended enrichers',
      closing.signal,
      () => notifyOfSuspensions(server),
      every(NOTIFY_MS),
    ),
  ]
  return {
    stop: async () => {
      closing.abort()
      alarm.ring()
      await Promise.all(loops)
      await Promise.race([Promise.all(running.keys()), sleep(GRACE_MS, undefined, { ref: false })])
      cutOff.abort()
      await Promise.all(running.keys())
    },
  }
}
