import type { Kysely } from 'kysely'
import type { PgBoss } from 'pg-boss'
import { isDatabaseAway } from '../engine/errors.ts'
import type { Cause, Execution } from './execute.ts'
import { type Changed, QUEUE } from './queue.ts'
import { claimOf, restoreAttempts, writeReports } from './states.ts'

/** The running attempts of a worker. */
export interface Running {
  count(): number
  add(execution: Execution): void
  abort(id: string, cause: Cause): void
  abortAll(cause: Cause): void
  /** Resolves when all current attempts have ended. */
  ended(): Promise<unknown>
  /** Stores their progress and logs. */
  report(): Promise<void>
  /** Sends heartbeats, and aborts attempts that the queue has reassigned. */
  beat(): Promise<void>
}

export function createRunning(db: Kysely<unknown>, boss: PgBoss): Running {
  const all = new Map<string, Execution>()
  // When the last heartbeat failed.
  let unheardAt = 0
  return {
    count: () => all.size,
    add: (execution) => {
      const { id } = execution.attempt
      all.set(id, execution)
      execution.done.finally(() => all.delete(id))
    },
    abort: (id, cause) => all.get(id)?.abort(cause),
    abortAll: (cause) => {
      for (const execution of all.values()) execution.abort(cause)
    },
    ended: () => Promise.all([...all.values()].map(({ done }) => done)),
    report: async () => {
      const reports = [...all.values()].flatMap(({ attempt, news }) => {
        const latest = news()
        return latest ? [{ ...latest, id: attempt.id, attempt: attempt.attempt }] : []
      })
      if (reports.length > 0) await writeReports(db, reports)
    },
    beat: async () => {
      const held = [...all.values()]
      if (held.length === 0) return
      const claims = held.map(({ attempt }) => claimOf(attempt))
      const { settled } = (await boss.touch(QUEUE, claims).catch((error) => {
        if (isDatabaseAway(error)) unheardAt = Date.now()
        throw error
      })) as Changed
      const alive = new Set(settled)
      const lost = held.filter(({ attempt }) => !alive.has(attempt.id))
      const unheard = lost.filter(({ startedAt }) => unheardAt > startedAt)
      if (unheard.length > 0) {
        await restoreAttempts(
          db,
          boss,
          unheard.map(({ attempt }) => attempt.id),
        )
      }
      for (const { abort } of lost) abort('lost')
    },
  }
}
