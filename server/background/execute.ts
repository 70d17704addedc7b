import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { ApiError, isDatabaseAway } from '../engine/errors.ts'
import type { Server } from '../server.ts'
import { createRunLog, storable } from './run-log.ts'
import { type Attempt, type Ending, type Report, settle } from './states.ts'
import { isForReaders, messageForReaders, readParameters, TaskError, type TaskTypes } from './task.ts'

/** What executing runs needs. */
export interface Surroundings {
  readonly server: Server
  readonly boss: PgBoss
  readonly types: TaskTypes
  readonly log: Logger
}

/** Why a handler must end: its run now belongs to another worker, takes too long, or the worker stops. */
export type Cause = 'lost' | 'expired' | 'stopping'

/** A running attempt. */
export interface Execution {
  readonly attempt: Attempt
  /** In milliseconds, by the clock of this process. */
  readonly startedAt: number
  /** Resolves when the end of the attempt has been recorded. */
  readonly done: Promise<void>
  abort(cause: Cause): void
  /** The report, if it changed since the last call. */
  news(): Report | undefined
}

// A handler that ignores its signal for this long is abandoned.
const ABORT_GRACE_MS = 5000
const SETTLE_PAUSES_MS = [0, 250, 1000, 3000, 5000, 10_000]
const AWAY_PAUSE_MS = 5000

/** Runs one attempt and settles it. */
export function execute(surroundings: Surroundings, attempt: Attempt): Execution {
  const { server, types, log } = surroundings
  const { id, type } = attempt
  const task = types.get(type)
  const runLog = createRunLog(attempt.log)
  const controller = new AbortController()
  const { signal } = controller
  const startedAt = Date.now()
  let cause: Cause | undefined
  let progress = 0
  let hasNews = false
  let isOver = false

  const abort = (why: Cause) => {
    cause ??= why
    controller.abort(new TaskError(REASONS[why](task?.expireInSeconds ?? 0)))
  }
  const overdue = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason), ABORT_GRACE_MS).unref())
  })
  const job = {
    ...server,
    id,
    attempt: attempt.attempt,
    callerId: attempt.caller,
    cause: attempt.cause ?? undefined,
    signal,
    progress: (fraction: number) => {
      progress = Math.min(1, Math.max(0, Number(fraction) || 0))
      hasNews = true
    },
    log: (line: string) => {
      if (!isOver) runLog.add(line)
      hasNews = true
    },
  }
  const work = async (): Promise<Ending> => {
    if (!task) throw new TaskError(`This worker does not know tasks of the type '${type}'.`)
    const { result, outcome } = await task.run({ ...job, parameters: readParameters(task, attempt.parameters) })
    if (outcome === 'WAITING') return { state: 'WAITING' }
    return { state: outcome ?? 'SUCCESS', result: writeJson(result) }
  }
  const attend = async (): Promise<void> => {
    const limit = task && setTimeout(abort, task.expireInSeconds * 1000, 'expired')
    const ending = await Promise.race([work(), overdue]).catch((error) => {
      if (cause === undefined && !isForReaders(error)) log.error({ err: error, run: id }, 'a task run failed')
      return endingOf(attempt, cause === 'expired' ? signal.reason : error, cause)
    })
    isOver = true
    clearTimeout(limit)
    if (cause === 'lost') return
    if (ending.state === 'RETRY') runLog.add(`Attempt ${attempt.attempt} ended: ${ending.error}`)
    const isSettled = await settleSurely(
      surroundings,
      attempt,
      { log: runLog.lines, progress },
      ending,
      () => cause === 'stopping',
    )
    const state = isSettled ? ending.state : 'LOST'
    log.info({ run: id, type, attempt: attempt.attempt, state, ms: Date.now() - startedAt }, 'task run')
  }
  const news = (): Report | undefined => {
    if (!hasNews || isOver) return undefined
    hasNews = false
    return { log: [...runLog.lines], progress }
  }
  const done = attend().catch((error) => log.error({ err: error, run: id }, 'a task run was left as it is'))
  return { attempt, startedAt, done, abort, news }
}

/** Records the end of finished work. If the database is unavailable, waits for it unless the worker stops, so that the work is not lost. */
async function settleSurely(
  { server, boss, log }: Surroundings,
  attempt: Attempt,
  report: Report,
  ending: Ending,
  isStopping: () => boolean,
): Promise<boolean> {
  let writable = ending
  let isAway = false
  for (let i = 0; i < SETTLE_PAUSES_MS.length || (isAway && !isStopping()); i++) {
    await sleep(SETTLE_PAUSES_MS[i] ?? AWAY_PAUSE_MS)
    try {
      return await settle(server.db, boss, attempt, report, writable)
    } catch (error) {
      log.warn({ err: error, run: attempt.id }, 'the end of a task run could not be written')
      isAway = isDatabaseAway(error)
      const isRefused = String((error as { code?: unknown }).code).startsWith('22')
      if (isRefused) writable = { state: 'FAILURE', error: 'The result cannot be stored.' }
    }
  }
  return false
}

const writeJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner) => (typeof inner === 'string' ? storable(inner) : inner))

const REASONS: Record<Cause, (seconds: number) => string> = {
  lost: () => 'The run was revoked, or another worker has it.',
  expired: (seconds) => `The run took longer than ${seconds} seconds.`,
  stopping: () => 'The worker was stopped.',
}

function endingOf(attempt: Attempt, error: unknown, cause: Cause | undefined): Ending {
  if (cause === 'stopping') return { state: 'RETRY', error: REASONS.stopping(0), isCounted: false }
  if (isDatabaseAway(error)) return { state: 'RETRY', error: 'The database could not be reached.', isCounted: false }
  const text = messageForReaders(error, 'An internal error ended the run; the log of the server has more.')
  const isFinal = isForReaders(error) && (error instanceof ApiError || error.isFinal)
  const message = storable(text).slice(0, 2000)
  return attempt.hasRetries && !isFinal
    ? { state: 'RETRY', error: message, isCounted: true }
    : { state: 'FAILURE', error: message }
}
