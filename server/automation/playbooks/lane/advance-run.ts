import type { Logger } from 'pino'
import { isDatabaseAway } from '../../../engine/errors.ts'
import { retried } from '../../../engine/retried.ts'
import type { Server } from '../../../server.ts'
import { ended, failureOf, type Performed, readParameters, requireKind } from '../perform-step.ts'
import type { StepContext } from '../step.ts'
import { withSecret } from '../step-secrets.ts'
import { type ClaimedRun, releaseRun } from './claim.ts'
import { type DueRun, lockRun } from './due-run.ts'
import { settle, takeStep } from './take-step.ts'

/** Less than the lease. */
const CALL_DEADLINE_MS = 30_000

interface Parts {
  readonly server: Server
  readonly log: Logger
  /** Aborts when the process stops. */
  readonly signal: AbortSignal
}

/** Takes the steps of a claimed run, one transaction after the other, until it ends or waits. No transaction is open during a call. */
export async function advanceRun({ server, log, signal }: Parts, claimed: ClaimedRun): Promise<void> {
  const within = <T>(work: (db: Server['db']) => Promise<T>): Promise<T> =>
    retried(() => server.db.transaction().execute(work))
  for (;;) {
    if (signal.aborted) return releaseRun(server.db, claimed, { isCounted: false })
    const next = await within((db) => takeStep(server, log, db, claimed))
    if (next.kind === 'over') return
    if (next.kind === 'more') continue
    const performed = await call(server, next.run, next.step, signal)
    // Another process repeats the call under the same key.
    if (performed === 'stopping') return releaseRun(server.db, claimed, { isCounted: false })
    const after = await within(async (db) => {
      const run = await lockRun(db, claimed)
      return run ? settle(db, log, run, performed) : undefined
    })
    if (after?.kind !== 'more') return
  }
}

async function call(
  server: Server,
  run: DueRun,
  { ctx: _, ...step }: StepContext,
  stopping: AbortSignal,
): Promise<Performed | 'stopping'> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_DEADLINE_MS)])
  const prepared = run.begun.find(({ position }) => position === run.position)?.prepared ?? {}
  try {
    const stored = run.steps[run.position]
    if (!stored) throw new TypeError('A run calls for a step that it does not have.')
    const kind = requireKind(stored)
    if (!kind.call) throw new TypeError(`Steps of the kind ${kind.kind} make no calls.`)
    const parameters = readParameters(kind, withSecret(server.vault, stored, run.step_secrets))
    return ended(kind, await kind.call({ ...step, server, signal, prepared }, parameters))
  } catch (error) {
    if (stopping.aborted) return 'stopping'
    if (isDatabaseAway(error)) throw error
    return failureOf(error)
  }
}
