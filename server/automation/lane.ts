import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createAlarm, every, repeat } from '../background/pace.ts'
import type { Worker } from '../background/worker.ts'
import { makeId } from '../engine/ids.ts'
import type { Server } from '../server.ts'

const POLL_MS = 500
/** How long running work may take to end on its own when the process stops. */
const GRACE_MS = 3000

/** What a lane needs of its process. */
export interface LaneParts {
  readonly server: Server
  readonly log: Logger
}

/** What a lane does next to its work, at intervals. */
export interface LaneChore {
  /** Its name in the log line of a failure. */
  readonly name: string
  readonly everyMs: number
  run(): Promise<unknown>
}

/** Work that processes take from a table: each row is claimed by one process, which holds it until it gives it back or its lease ends. */
export interface Lane<Claimed> {
  /** The name of claiming in the log line of a failure. */
  readonly name: string
  /** One piece of work in the log line of a failure, such as 'a look-up'. */
  readonly unit: string
  /** How many pieces one process works on at the same time. */
  readonly concurrency: number
  /**
   * Claims work that is due, under a value that fences its effects. `room` is how many more pieces the process takes, `running` what it
   * works on.
   */
  claim(fence: string, room: number, running: readonly Claimed[]): Promise<readonly Claimed[]>
  /** Works on a piece. Once the signal aborts, it gives the piece back. */
  perform(claimed: Claimed, signal: AbortSignal): Promise<void>
  /** What identifies a piece in log lines. */
  describe(claimed: Claimed): Readonly<Record<string, unknown>>
  /** Gives back a piece whose work threw. Without it, the lease has to end first. */
  release?(claimed: Claimed): Promise<void>
  /** Extends the leases of what the process works on, for work that may take longer than a lease. */
  readonly keeping?: {
    readonly name: string
    readonly everyMs: number
    /** Returns what the process no longer holds. */
    extend(running: readonly Claimed[]): Promise<readonly Claimed[]>
  }
  readonly chores: readonly LaneChore[]
}

/** Works in a lane until stopped, outside the queue of task runs, so that neither delays the other. */
export function startLane<Claimed>(log: Logger, lane: Lane<Claimed>): Worker {
  const closing = new AbortController()
  const closed = new AbortController()
  const alarm = createAlarm()
  const running = createRunning(log, lane)

  const take = async (): Promise<void> => {
    const room = Math.max(0, lane.concurrency - running.claimed().length)
    // Each claim has its own value, because a process may claim the same work again after its lease ended.
    for (const claimed of await lane.claim(makeId(), room, running.claimed())) running.add(claimed, alarm.ring)
  }
  const loops = [
    repeat(log, lane.name, closing.signal, take, () => alarm.wait(POLL_MS)),
    ...lane.chores.map(({ name, everyMs, run }) => repeat(log, name, closing.signal, run, every(everyMs))),
  ]
  const { keeping } = lane
  const kept =
    keeping &&
    repeat(
      log,
      keeping.name,
      closed.signal,
      async () => running.abort(await keeping.extend(running.claimed())),
      every(keeping.everyMs),
    )
  return {
    stop: async () => {
      closing.abort()
      alarm.ring()
      await Promise.all(loops)
      await Promise.race([running.ended(), sleep(GRACE_MS, undefined, { ref: false })])
      running.abort(running.claimed())
      await running.ended()
      // Leases are extended until the last piece of work was given back.
      closed.abort()
      await kept
    },
  }
}

/** What a process works on. */
function createRunning<Claimed>(log: Logger, { unit, perform, describe, release }: Lane<Claimed>) {
  const all = new Map<Claimed, { readonly cutOff: AbortController; readonly ended: Promise<void> }>()

  const work = async (claimed: Claimed, signal: AbortSignal): Promise<void> => {
    try {
      await perform(claimed, signal)
    } catch (error) {
      log.warn({ err: error, ...describe(claimed) }, `${unit} broke off and will be tried again`)
      // If the database is unavailable, the lease ends.
      await release?.(claimed).catch(() => {})
    }
  }
  return {
    claimed: (): readonly Claimed[] => [...all.keys()],
    add: (claimed: Claimed, onEnd: () => void): void => {
      const cutOff = new AbortController()
      const ended = work(claimed, cutOff.signal).finally(() => {
        all.delete(claimed)
        onEnd()
      })
      all.set(claimed, { cutOff, ended })
    },
    abort: (some: readonly Claimed[]): void => {
      for (const claimed of some) all.get(claimed)?.cutOff.abort()
    },
    ended: (): Promise<unknown> => Promise.all([...all.values()].map(({ ended }) => ended)),
  }
}
