import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../server.ts'
import { execute, type Surroundings } from './execute.ts'
import { createAlarm, every, repeat } from './pace.ts'
import { CHANNEL } from './queue.ts'
import { createRunning } from './running.ts'
import { scheduleRuns } from './scheduler.ts'
import { claim, endStrays, reconcile } from './states.ts'

/** Executes runs until stopped. */
export interface Worker {
  /** Takes no more runs, waits for the running ones, and gives back those that do not end in time. */
  stop(): Promise<void>
}

const REPORT_MS = 1000
const HEARTBEAT_MS = 2000
const SCHEDULE_MS = 2000
const RECONCILE_MS = 5000
const CHORES_MS = 2000
const STRAYS_MS = 60_000
const GRACE_MS = 3000

/** Periodic work of every worker. */
export interface Chore {
  /** Its name in the log line of a failure. */
  readonly name: string
  /** The signal aborts when the worker stops; calls to other servers must then end. */
  run(server: Server, signal: AbortSignal): Promise<void>
}

interface Pace {
  readonly concurrency: number
  readonly pollMs: number
  readonly chores: readonly Chore[]
}

/** Starts executing runs from the queue, up to `concurrency` at a time. */
export async function startWorker(surroundings: Surroundings, { concurrency, pollMs, chores }: Pace): Promise<Worker> {
  const { server, boss, types, log } = surroundings
  const { db } = server
  const running = createRunning(db, boss)
  const alarm = createAlarm()
  const closing = new AbortController()
  const closed = new AbortController()

  let isBacklogged = false
  const take = async (): Promise<void> => {
    const room = concurrency - running.count()
    const attempts = room > 0 ? await claim(db, boss, room) : []
    isBacklogged = attempts.length === room
    for (const attempt of attempts) {
      const execution = execute(surroundings, attempt)
      running.add(execution)
      execution.done.finally(() => isBacklogged && alarm.ring())
    }
  }
  const hear = (id: string) => (id === '' ? alarm.ring() : running.abort(id, 'lost'))
  const listening = boss.getDb().listen?.(CHANNEL, hear, alarm.ring)
  const listener = await listening?.catch((error) => log.warn(error, 'runs are noticed by polling only'))

  const work = [
    repeat(log, 'taking runs', closing.signal, take, () => alarm.wait(pollMs)),
    repeat(log, 'scheduling', closing.signal, () => scheduleRuns(db, types, log), every(SCHEDULE_MS)),
    repeat(log, 'looking for lost runs', closing.signal, () => reconcile(db), every(RECONCILE_MS)),
    repeat(log, 'ending stray runs', closing.signal, () => endStrays(db), every(STRAYS_MS)),
    ...chores.map(({ name, run }) =>
      repeat(log, name, closing.signal, () => run(server, closing.signal), every(CHORES_MS)),
    ),
  ]
  const care = [
    repeat(log, 'reporting', closed.signal, running.report, every(REPORT_MS)),
    repeat(log, 'the heartbeat', closed.signal, running.beat, every(HEARTBEAT_MS)),
  ]
  return {
    stop: async () => {
      closing.abort()
      alarm.ring()
      await Promise.all(work)
      await Promise.race([running.ended(), sleep(GRACE_MS)])
      running.abortAll('stopping')
      await running.ended()
      closed.abort()
      await Promise.all(care)
      await listener?.close()
    },
  }
}
