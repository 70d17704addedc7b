import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Context } from '../../../engine/context.ts'
import { missing } from '../../../engine/errors.ts'
import { idType } from '../../../engine/select.ts'
import { asUser } from '../../../identity/access/as-user.ts'
import type { Server } from '../../../server.ts'
import { NO_OWNER } from '../active-playbooks.ts'
import { textFiller } from '../fill-text.ts'
import { READING, visibleObjects } from '../matches.ts'
import { type Failed, type Performed, performStep } from '../perform-step.ts'
import type { StepContext } from '../step.ts'
import type { ClaimedRun } from './claim.ts'
import { type DueRun, lockRun, resultsOf } from './due-run.ts'
import { endAfterSteps, endRun } from './end-run.ts'
import { MAX_ATTEMPTS, moveOn, recordStep, waitFor } from './record-step.ts'

/** What the lane has to do after a transaction. */
export type Next =
  /** The run ended, waits, or belongs to another process now. */
  | { readonly kind: 'over' }
  | { readonly kind: 'more' }
  | { readonly kind: 'call'; readonly run: DueRun; readonly step: StepContext }

const OVER: Next = { kind: 'over' }
const MORE: Next = { kind: 'more' }

/** Takes the next step of a run in a transaction: its effects and its record are written together, or neither is. */
export async function takeStep(server: Server, log: Logger, db: Kysely<unknown>, claimed: ClaimedRun): Promise<Next> {
  const run = await lockRun(db, claimed)
  if (!run) return OVER
  const prepared = await prepare(server, db, run)
  if ('ending' in prepared) {
    await endRun(db, run, prepared.ending, prepared.reason)
    return OVER
  }
  const { step } = prepared
  const stored = run.steps[run.position]
  if (!stored) {
    await endAfterSteps(db, run)
    return OVER
  }
  const begun = run.begun.find(({ position }) => position === run.position)
  // Otherwise a step that ends the process would do so for ever.
  if (run.attempts >= MAX_ATTEMPTS)
    return settle(db, log, run, { kind: 'failed', message: 'The step broke off repeatedly.', isPassing: false })
  if (begun?.state === 'CALLING') return { kind: 'call', run, step }
  const performed = await performStep(step, stored, begun?.state === 'WAITING' ? begun.waits_for : null)
  const next = await settle(db, log, run, performed)
  return performed.kind === 'call' ? { kind: 'call', run: withPrepared(run, performed.prepared), step } : next
}

const withPrepared = (run: DueRun, prepared: Readonly<Record<string, unknown>>): DueRun => ({
  ...run,
  begun: [
    ...run.begun.filter(({ position }) => position !== run.position),
    {
      position: run.position,
      step: run.steps[run.position]?.id ?? '',
      state: 'CALLING',
      outcome: null,
      output: null,
      error: null,
      waits_for: null,
      prepared,
    },
  ],
})

type Prepared = { readonly step: StepContext } | { readonly ending: 'WARNING' | 'FAILURE'; readonly reason: string }

/** The context of the step, or why the run cannot go on: its owner or its object may have gone since the last step. */
async function prepare(server: Server, db: Kysely<unknown>, run: DueRun): Promise<Prepared> {
  const { collection, object, owner } = run
  const caller = owner === null ? undefined : await asUser({ db }, owner)
  if (!caller) return { ending: 'FAILURE', reason: NO_OWNER }
  const reading = READING[collection]
  if (!caller.permissions.has(reading)) return { ending: 'FAILURE', reason: missing([reading]).message }
  const cause = { kind: 'playbook', id: String(run.playbook), depth: run.depth }
  const ctx: Context = { ...server, db, caller, cause, baseUrl: server.publicUrl ?? '', lookup: undefined }
  const seen = await visibleObjects(ctx, collection, [object])
  if (seen.length === 0) return { ending: 'WARNING', reason: await whyUnseen(db, run) }
  const subject = { collection, id: object }
  const results = resultsOf(run)
  const step: StepContext = {
    ctx,
    subject,
    playbook: { id: run.playbook, name: run.name, version: run.version },
    run: run.id,
    step: run.steps[run.position]?.id ?? '',
    key: `${run.id}-${run.position}`,
    isDryRun: false,
    results,
    fill: textFiller(ctx, subject, run.name, results),
  }
  return { step }
}

async function whyUnseen(db: Kysely<unknown>, { collection, object }: DueRun): Promise<string> {
  const { rows } = await sql`
    select from ${sql.table(collection)} where id = ${object}::${idType(collection)}`.execute(db)
  return rows.length === 0
    ? 'The object was deleted before the run ended.'
    : 'The user who last saved the playbook no longer sees the object.'
}

/** Records how an attempt ended, and what follows from it. */
export async function settle(db: Kysely<unknown>, log: Logger, run: DueRun, performed: Performed): Promise<Next> {
  if (performed.kind === 'failed') return settleFailure(db, log, run, performed)
  if (performed.kind === 'waiting') {
    const { waitsFor, retryInSeconds } = performed.waiting
    await recordStep(db, run, { state: 'WAITING', waitsFor })
    await waitFor(db, run, { seconds: retryInSeconds })
    return OVER
  }
  if (performed.kind === 'call') {
    await recordStep(db, run, { state: 'CALLING', prepared: performed.prepared })
    return MORE
  }
  if (performed.kind === 'skipped') await recordStep(db, run, { state: 'SKIPPED' })
  else {
    const { outcome, output, warnings = [] } = performed.result
    await recordStep(db, run, { state: warnings.length > 0 ? 'WARNING' : 'SUCCESS', outcome, output, warnings })
  }
  return goOn(db, run, performed.kind === 'done' && performed.isLast)
}

/** Goes on with the next step, or ends the run. */
async function goOn(db: Kysely<unknown>, run: DueRun, isLast: boolean): Promise<Next> {
  await moveOn(db, run)
  if (!isLast && run.position + 1 < run.steps.length) return MORE
  await endAfterSteps(db, run)
  return OVER
}

async function settleFailure(db: Kysely<unknown>, log: Logger, run: DueRun, failed: Failed): Promise<Next> {
  const { message, isPassing, cause } = failed
  const stored = run.steps[run.position]
  const begun = run.begun.find(({ position }) => position === run.position)
  if (cause !== undefined) log.error({ err: cause, run: run.id, step: stored?.id }, 'a step of a playbook failed')
  if (isPassing && run.attempts + 1 < MAX_ATTEMPTS) {
    const state = begun?.state === 'CALLING' ? 'CALLING' : 'WAITING'
    await recordStep(db, run, {
      state,
      error: message,
      waitsFor: begun?.waits_for ?? null,
      prepared: begun?.prepared ?? null,
    })
    await waitFor(db, run, 'failed')
    return OVER
  }
  await recordStep(db, run, { state: 'FAILURE', error: message })
  if (stored?.on_failure === 'continue') return goOn(db, run, false)
  await endRun(db, run, 'FAILURE', `The step '${stored?.id}' failed: ${message}`)
  return OVER
}
