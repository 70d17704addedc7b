import { sql } from 'kysely'
import type { Logger } from 'pino'
import { ApiError, isDatabaseAway } from '../../../engine/errors.ts'
import type { Server } from '../../../server.ts'
import { circuitOf } from '../../circuit.ts'
import { masked } from '../../enrichers/lanes/masked.ts'
import { secretsOf, withSecrets } from '../../parameters.ts'
import { type Adapter, type Analysis, type Call, DetonatorError } from '../adapter.ts'
import { openCall } from '../calls.ts'
import { adapterNamed } from '../find-adapter.ts'
import { type Claimed, ClaimLost, change } from './claim.ts'
import { fetchReport } from './fetch-report.ts'
import { checkRequesters, Paused, type Permission, refuseUsers, Withheld } from './requesters.ts'
import { reserveSubmission } from './reserve.ts'
import { storeReport } from './store-report.ts'
import { readWork, sampleOf, type Work } from './work.ts'

/** Attempts whose vendor was not available, or whose process did not report back. */
const MAX_ATTEMPTS = 5
const RETRY_SECONDS = 10
const FIRST_POLL_SECONDS = 5
const MAX_POLL_SECONDS = 300

interface Surroundings {
  readonly server: Server
  readonly log: Logger
  /** Aborts when the process stops, or another one has the detonation. */
  readonly signal: AbortSignal
}

interface Step extends Surroundings {
  readonly claimed: Claimed
  readonly work: Work
  readonly adapter: Adapter
  readonly call: Call
  /** Who may have it now, as of the last check. */
  latest(): Promise<Permission>
}

const circuit = circuitOf('detonators')

/** Takes a claimed detonation as far as it gets without waiting for the vendor. */
export async function advance(surroundings: Surroundings, claimed: Claimed): Promise<void> {
  const { server, signal } = surroundings
  for (;;) {
    const work = await readWork(server, claimed.id)
    const adapter = work && adapterNamed(server, work.adapter)
    if (!work || !adapter) return
    const secrets = secretsOf(server.vault, work)
    const parameters = adapter.parameters.safeParse(withSecrets(work.parameters, secrets))
    const step = prepare(surroundings, claimed, work, adapter, parameters.data ?? {})
    try {
      signal.throwIfAborted()
      if (!parameters.success) return void (await failed(step, 'The parameters of the detonator are not complete.'))
      if (!(await STEPS[work.state as keyof typeof STEPS]?.(step))) return
    } catch (error) {
      if (error instanceof ClaimLost) return
      if (signal.aborted) return giveBack(step)
      if (isDatabaseAway(error)) throw error
      return settleFault(step, error)
    }
  }
}

function prepare(
  surroundings: Surroundings,
  claimed: Claimed,
  work: Work,
  adapter: Adapter,
  parameters: Call['parameters'],
): Step {
  const { server, signal } = surroundings
  const check = async (): Promise<Permission> => {
    const permission = await checkRequesters(server, work)
    if (permission.rank === null) throw new Withheld(permission)
    await refuseUsers(server, work.id, permission.refused)
    return permission
  }
  const call = openCall({ server, parameters, signal, check: async () => void (await check()) })
  return { ...surroundings, claimed, work, adapter, call, latest: check }
}

/** What happens in each state. Each says whether the detonation goes on at once. */
const STEPS = {
  WAITING: async ({ server, claimed }: Step): Promise<boolean> => {
    await change(server.db, claimed, { state: 'CHECKING', state_reason: null }, { isFailure: true })
    return true
  },

  CHECKING: async (step: Step): Promise<boolean> => {
    const { server, claimed, work, adapter, call } = step
    if (claimed.attempt > MAX_ATTEMPTS) return failed(step, 'The submission broke off repeatedly.')
    const { rank, name } = await step.latest()
    const sample = await sampleOf(server, work, name)
    if (!sample) return failed(step, 'The content of the sample was deleted before it was submitted.')
    if (!work.is_forced) {
      const known = await adapter.find(call, sample, work.options)
      await circuit.countSuccess(server.db, work.detonator)
      if (known) return runs(step, known, true, { rank: rank ?? 0, name })
    }
    if (!(await reserveSubmission(server.db, claimed, { rank: rank ?? 0, name }))) return false
    const analysis = await adapter.submit(call, sample, work.options)
    await circuit.countSuccess(server.db, work.detonator)
    return runs(step, analysis, false)
  },

  /** Its process did not report back, so that it is unknown whether the vendor has the sample: the vendor is asked first. */
  SUBMITTING: async ({ server, claimed }: Step): Promise<boolean> => {
    await change(server.db, claimed, { state: 'CHECKING' }, { isFailure: true })
    return true
  },

  RUNNING: async (step: Step): Promise<boolean> => {
    const { server, claimed, work, adapter, call } = step
    if (claimed.attempt > MAX_ATTEMPTS) return failed(step, 'Asking for the result broke off repeatedly.')
    const progress = await adapter.poll(call, analysisOf(work))
    await circuit.countSuccess(server.db, work.detonator)
    if (progress.state === 'failed') return failed(step, progress.reason)
    if (progress.state === 'finished') {
      const { id, url } = progress.analysis ?? analysisOf(work)
      await change(server.db, claimed, { state: 'REPORTING', state_reason: null, vendor_id: id, vendor_url: url })
      return true
    }
    if (work.is_overdue) return failed(step, overdue(step))
    const afterSeconds = Math.min(MAX_POLL_SECONDS, FIRST_POLL_SECONDS * 2 ** Math.min(work.polls, 10))
    await change(server.db, claimed, { polls: work.polls + 1, state_reason: progress.detail ?? null }, { afterSeconds })
    return false
  },

  REPORTING: async (step: Step): Promise<boolean> => {
    const { server, claimed, work, adapter, call } = step
    if (claimed.attempt > MAX_ATTEMPTS) return failed(step, 'Reading the report broke off repeatedly.')
    const fetched = await fetchReport(adapter, call, analysisOf(work), Object.values(secretsOf(server.vault, work)))
    await circuit.countSuccess(server.db, work.detonator)
    await storeReport(server, { claimed, work, adapter, permission: await step.latest(), fetched })
    return false
  },
}

const analysisOf = ({ vendor_id, vendor_url }: Work): Analysis => ({ id: vendor_id ?? '', url: vendor_url })

async function runs(
  { server, claimed, adapter }: Step,
  { id, url }: Analysis,
  isKnown: boolean,
  seen: { readonly rank?: number; readonly name?: string } = {},
): Promise<boolean> {
  await change(
    server.db,
    claimed,
    { state: 'RUNNING', state_reason: null, vendor_id: id, vendor_url: url, was_known: isKnown, polls: 0, ...seen },
    { deadlineSeconds: adapter.deadlineSeconds, ...(!isKnown && { afterSeconds: FIRST_POLL_SECONDS }) },
  )
  return isKnown
}

const overdue = ({ adapter, work }: Step): string => {
  const minutes = Math.round(adapter.deadlineSeconds / 60)
  const page = work.vendor_url === null ? '' : ` See ${work.vendor_url} for what became of it.`
  return `There was no result within ${minutes} minutes.${page}`
}

async function failed({ server, claimed, work }: Step, reason: string): Promise<false> {
  const state_reason = masked(reason, Object.values(secretsOf(server.vault, work)))
    .slice(0, 2000)
    .toWellFormed()
  await change(server.db, claimed, { state: 'FAILED', state_reason: state_reason.replaceAll('\0', '\uFFFD') })
  return false
}

/** Leaves a detonation to the next process that has time. What may have reached the vendor stays in its state. */
const giveBack = ({ server, claimed }: Step): Promise<void> =>
  change(server.db, claimed, {}, { afterSeconds: 0, isFree: true }).catch((error) => {
    if (!(error instanceof ClaimLost)) throw error
  })

async function settleFault(step: Step, error: unknown): Promise<void> {
  const { server, log, claimed, work } = step
  try {
    if (error instanceof Withheld) return await withhold(step, error.permission)
    if (error instanceof Paused) return await change(server.db, claimed, {}, { afterSeconds: 1, isFree: true })
    if (error instanceof DetonatorError) return await settleVendorFault(step, error)
    log.error({ err: error, detonation: work.id }, 'a detonation failed')
    const isSpoken = error instanceof ApiError && error.status < 500
    await failed(step, isSpoken ? error.message : 'An internal error ended it; the log of the server has more.')
  } catch (again) {
    if (!(again instanceof ClaimLost)) throw again
  }
}

async function settleVendorFault(step: Step, error: DetonatorError): Promise<void> {
  const { server, claimed, work } = step
  const { db } = server
  const current = (await readWork(server, work.id)) ?? work
  // A refused call had no effect at the vendor.
  const before = current.state === 'SUBMITTING' ? ({ state: 'WAITING' } as const) : {}
  if (error.fault === 'refused') {
    const isSame = sql`parameters = ${JSON.stringify(work.parameters)}::jsonb and parameter_secrets is not distinct from ${work.parameter_secrets}`
    await circuit.suspend(db, work.detonator, error.message, isSame)
    return change(db, claimed, before, { afterSeconds: 1, isFree: true })
  }
  if (error.fault === 'limited') {
    await circuit.pauseFor(db, work.detonator, error)
    return change(db, claimed, before, { afterSeconds: 1, isFree: true })
  }
  if (error.fault === 'unavailable') {
    await circuit.countFault(db, work.detonator, error.message)
    const isWaitedFor = current.state === 'RUNNING' || current.state === 'REPORTING'
    if (isWaitedFor ? current.is_overdue : claimed.attempt >= MAX_ATTEMPTS)
      return void (await failed(step, error.message))
    return change(db, claimed, {}, { afterSeconds: RETRY_SECONDS, isFailure: !isWaitedFor, isFree: isWaitedFor })
  }
  await circuit.countSuccess(db, work.detonator)
  const page =
    error.fault === 'unreadable' && current.vendor_url !== null ? ` The analysis is at ${current.vendor_url}.` : ''
  await failed(step, `${error.message}${page}`)
}

/** Ends a detonation that may no longer be submitted, unless others asked for it in the meantime. */
async function withhold({ server, claimed, work }: Step, { refused }: Permission): Promise<void> {
  await server.db.transaction().execute(async (db) => {
    await sql`select from detonations where id = ${work.id}::uuid for update`.execute(db)
    await refuseUsers({ db }, work.id, refused)
    const { rows } = await sql`
      select from detonation_requesters where detonation = ${work.id}::uuid and outcome is null limit 1`.execute(db)
    if (rows.length > 0) return change(db, claimed, {}, { afterSeconds: 0, isFree: true })
    const [reason] = refused.values()
    return reason === undefined
      ? change(db, claimed, { state: 'CANCELLED', state_reason: null })
      : change(db, claimed, { state: 'REFUSED', state_reason: reason })
  })
}
