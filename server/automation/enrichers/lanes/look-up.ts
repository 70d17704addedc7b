import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { ApiError, isDatabaseAway } from '../../../engine/errors.ts'
import { storeBlob } from '../../../intelligence/stored-blobs/store.ts'
import type { Server } from '../../../server.ts'
import { parametersWithSecrets, secretsOf } from '../../parameters.ts'
import { findFunctions } from '../find-function.ts'
import { EnricherError, type EnricherFunction, type LookUpResult } from '../function.ts'
import { type Claimed, release } from './claim.ts'
import { countFault, countSuccess, pauseFor, suspend, waitForLimit } from './faults.ts'
import { LimitReached, lookUpContext, type Made } from './look-up-calls.ts'
import { credentialsIn, masked } from './masked.ts'
import { checkRequesters, type Permission } from './requesters.ts'
import { type Raw, type Result, storeResult } from './store-result.ts'
import { readWork, type Work } from './work.ts'

const DEADLINE_MS = 60_000
/** Attempts whose source was not available, or whose process did not report back. */
const MAX_ATTEMPTS = 5
/** Before the next attempt of the same observable; the circuit breaker protects the source. */
const RETRY_PAUSE_SECONDS = 10

/** The observable may no longer be sent. */
class Withheld extends Error {
  readonly permission: Permission

  constructor(permission: Permission) {
    super('The observable may no longer be looked up.')
    this.permission = permission
  }
}

interface Surroundings {
  readonly server: Server
  readonly log: Logger
  /** Aborts when the process stops. */
  readonly signal: AbortSignal
}

/** Performs a claimed look-up: checks, calls the source, and stores what it found, or what went wrong. */
export async function lookUp({ server, log, signal }: Surroundings, claimed: Claimed): Promise<void> {
  const work = await readWork(server, claimed)
  // Its rows are deleted with the enricher or the observable.
  if (!work) return
  const known = (await findFunctions(server.db, [work.enricher])).get(work.enricher)
  const permission = await checkRequesters(server, claimed)
  if (permission.rank === null) return withhold(server, claimed, work, permission)
  // Otherwise an observable whose look-up ends the process would do so for ever.
  if (claimed.attempt > MAX_ATTEMPTS)
    return fail(server, claimed, work, permission, 'The look-up broke off repeatedly.')
  if (!known) return fail(server, claimed, work, permission, `There is no function '${work.enricher}'.`)
  const made: Made[] = []
  try {
    const { result, latest } = await run(server, claimed, work, known, signal, made)
    const raw = await storeRaw(server, work, made)
    await storeResult(server, claimed, work, latest ?? permission, result, raw)
    await countSuccess(server.db, work.id)
  } catch (error) {
    if (signal.aborted) return release(server.db, claimed, { isCounted: false })
    if (isDatabaseAway(error)) throw error
    await settleFault({ server, log, claimed, work, permission }, error)
  }
}

async function run(
  server: Server,
  claimed: Claimed,
  work: Work,
  known: EnricherFunction,
  stopping: AbortSignal,
  made: Made[],
): Promise<{ result: LookUpResult; latest: Permission | undefined }> {
  const late = AbortSignal.timeout(DEADLINE_MS)
  const signal = AbortSignal.any([stopping, late])
  let latest: Permission | undefined
  const context = lookUpContext({
    server,
    enricher: work.id,
    parameters: parametersWithSecrets(server.vault, known, work),
    requestsPerLookUp: known.requestsPerLookUp,
    signal,
    check: async () => {
      latest = await checkRequesters(server, claimed)
      if (latest.rank === null) throw new Withheld(latest)
    },
  })
  const overdue = Promise.withResolvers<never>()
  overdue.promise.catch(() => {})
  const expire = () =>
    overdue.reject(new EnricherError('unavailable', `The service did not answer within ${DEADLINE_MS / 1000} seconds.`))
  signal.addEventListener('abort', expire, { once: true })
  try {
    const result = await Promise.race([known.lookUp(context, { type: work.type, value: work.value }), overdue.promise])
    return { result, latest }
  } finally {
    signal.removeEventListener('abort', expire)
    made.push(...context.made)
  }
}

/** Keeps what the source answered, without the secrets of the enricher, which it may repeat. */
async function storeRaw(server: Server, work: Work, made: readonly Made[]): Promise<Raw | undefined> {
  if (!server.blobs || made.length === 0) return undefined
  const secrets = [
    ...Object.values(secretsOf(server.vault, work)),
    ...credentialsIn(made.map(({ request }) => request)),
  ]
  const parts = made.map(({ answer }) => masked(answer.body.toString('utf8'), secrets))
  const { sha256, size } = await storeBlob(server, Readable.from([Buffer.from(parts.join('\n'))]))
  return { sha256, size }
}

interface Failed {
  readonly server: Server
  readonly log: Logger
  readonly claimed: Claimed
  readonly work: Work
  readonly permission: Permission
}

async function settleFault({ server, log, claimed, work, permission }: Failed, error: unknown): Promise<void> {
  const { db } = server
  if (error instanceof Withheld) return withhold(server, claimed, work, error.permission)
  if (error instanceof LimitReached) {
    await waitForLimit(db, work.id, error.full, error.message)
    return release(db, claimed, { isCounted: false })
  }
  if (!(error instanceof EnricherError)) {
    log.error({ err: error, enricher: work.id, observable: claimed.observable }, 'a look-up failed')
    const isSpoken = error instanceof ApiError && error.status < 500
    const reason = isSpoken ? error.message : 'An internal error ended the look-up; the log of the server has more.'
    return fail(server, claimed, work, permission, reason)
  }
  const { fault, message } = error
  if (fault === 'unreadable') {
    await countSuccess(db, work.id)
    return fail(server, claimed, work, permission, message)
  }
  if (fault === 'refused') {
    await suspend(db, work, message)
    return release(db, claimed, { isCounted: false })
  }
  if (fault === 'limited') {
    await pauseFor(db, work.id, error)
    return release(db, claimed, { isCounted: false })
  }
  await countFault(db, work.id, message)
  if (claimed.attempt >= MAX_ATTEMPTS) return fail(server, claimed, work, permission, message)
  await release(db, claimed, { isCounted: true, pauseSeconds: RETRY_PAUSE_SECONDS })
}

async function fail(
  server: Server,
  claimed: Claimed,
  work: Work,
  permission: Permission,
  reason: string,
): Promise<void> {
  await storeResult(server, claimed, work, permission, { state: 'FAILED', reason })
}

/** Ends a look-up without a result. If no run waits for it, nothing of it is left. */
async function withhold(server: Server, claimed: Claimed, work: Work, permission: Permission): Promise<void> {
  const reason = [...permission.refused.values()][0] ?? 'No run waits for it any more.'
  const result: Result = { state: 'SKIPPED', reason }
  await storeResult(server, claimed, work, permission, result)
}
