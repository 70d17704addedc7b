import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createAlarm, repeat } from '../../../background/pace.ts'
import type { Worker } from '../../../background/worker.ts'
import { makeId } from '../../../engine/ids.ts'
import type { Server } from '../../../server.ts'
import { adaptersOf } from '../find-adapter.ts'
import { advance } from './advance.ts'
import { type Claimed, claimDue, EXTEND_MS, extend } from './claim.ts'
import { notifyUsers } from './notifications.ts'

const POLL_MS = 500
const NOTIFY_MS = 2000
const GRACE_MS = 3000
/** How many detonations one process works on at the same time; those that the vendor runs need none of it. */
const MOST = 20

interface Parts {
  readonly server: Server
  readonly log: Logger
}

interface Running {
  readonly claimed: Claimed
  readonly lost: AbortController
}

/** Submits samples and reads reports until stopped, outside the queue of task runs. */
export function startDetonations({ server, log }: Parts): Worker {
  const { db } = server
  const closing = new AbortController()
  const cutOff = new AbortController()
  const alarm = createAlarm()
  const running = new Map<Promise<void>, Running>()
  const installed = adaptersOf(server).map(({ name }) => name)

  const perform = async ({ claimed, lost }: Running): Promise<void> => {
    try {
      await advance({ server, log, signal: AbortSignal.any([cutOff.signal, lost.signal]) }, claimed)
    } catch (error) {
      // Its claim ends, and it is tried again.
      log.warn({ err: error, detonation: claimed.id }, 'a detonation broke off and will be tried again')
    }
  }
  const take = async (): Promise<void> => {
    // Each claim has its own value, because a process may claim the same detonation again after its lease ended.
    for (const claimed of await claimDue(db, makeId(), MOST - running.size, installed)) {
      const own = { claimed, lost: new AbortController() }
      const step = perform(own).finally(() => {
        running.delete(step)
        alarm.ring()
      })
      running.set(step, own)
    }
  }
  const keep = async (): Promise<void> => {
    const own = [...running.values()]
    const held = await extend(
      db,
      own.map(({ claimed }) => claimed),
    )
    for (const { claimed, lost } of own) if (!held.has(`${claimed.id} ${claimed.claim}`)) lost.abort()
  }
  const every = (ms: number) => (signal: AbortSignal) => sleep(ms, undefined, { signal })
  const loops = [
    repeat(log, 'advancing detonations', closing.signal, take, () => alarm.wait(POLL_MS)),
    repeat(log, 'notifying users of detonations', closing.signal, () => notifyUsers(server), every(NOTIFY_MS)),
  ]
  const closed = new AbortController()
  const keeping = repeat(log, 'keeping detonations', closed.signal, keep, every(EXTEND_MS))
  return {
    stop: async () => {
      closing.abort()
      alarm.ring()
      await Promise.all(loops)
      await Promise.race([Promise.all(running.keys()), sleep(GRACE_MS, undefined, { ref: false })])
      cutOff.abort()
      await Promise.all(running.keys())
      closed.abort()
      await keeping
    },
  }
}
