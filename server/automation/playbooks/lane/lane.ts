import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createAlarm, repeat } from '../../../background/pace.ts'
import type { Worker } from '../../../background/worker.ts'
import { makeId } from '../../../engine/ids.ts'
import type { Server } from '../../../server.ts'
import { notifyOfFailures } from '../notifications.ts'
import { advanceRun } from './advance-run.ts'
import { type ClaimedRun, claimRuns, releaseRun, wakeWaiting } from './claim.ts'

const POLL_MS = 500
const WAKE_MS = 1000
const NOTIFY_MS = 2000
const GRACE_MS = 3000
/** How many runs one process takes steps of at the same time. Runs that wait are not among them. */
const MAX_RUNS = 6

interface Parts {
  readonly server: Server
  readonly log: Logger
}

/** Runs playbooks until stopped, outside the queue of task runs, so that neither delays the other. */
export function startPlaybookLane({ server, log }: Parts): Worker {
  const { db } = server
  const closing = new AbortController()
  const cutOff = new AbortController()
  const alarm = createAlarm()
  const running = new Set<Promise<void>>()

  const advance = async (claimed: ClaimedRun): Promise<void> => {
    try {
      await advanceRun({ server, log, signal: cutOff.signal }, claimed)
    } catch (error) {
      log.warn({ err: error, run: claimed.id }, 'a run of a playbook broke off and will be tried again')
      // If the database is unavailable, the lease ends.
      await releaseRun(db, claimed, { isCounted: true, pauseSeconds: 5 }).catch(() => {})
    }
  }
  const take = async (): Promise<void> => {
    // Each claim has its own value, because a process may claim the same run again after its lease ended.
    for (const claimed of await claimRuns(db, makeId(), MAX_RUNS - running.size)) {
      const step = advance(claimed).finally(() => {
        running.delete(step)
        alarm.ring()
      })
      running.add(step)
    }
  }
  const every = (ms: number) => (signal: AbortSignal) => sleep(ms, undefined, { signal })
  const loops = [
    repeat(log, 'running playbooks', closing.signal, take, () => alarm.wait(POLL_MS)),
    repeat(log, 'waking runs of playbooks', closing.signal, () => wakeWaiting(db), every(WAKE_MS)),
    repeat(
      log,
      'notifying users of failed playbooks',
      closing.signal,
      () => notifyOfFailures(server),
      every(NOTIFY_MS),
    ),
  ]
  return {
    stop: async () => {
      closing.abort()
      alarm.ring()
      await Promise.all(loops)
      await Promise.race([Promise.all(running), sleep(GRACE_MS, undefined, { ref: false })])
      cutOff.abort()
      await Promise.all(running)
    },
  }
}
