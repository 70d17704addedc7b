import { sql } from 'kysely'
import { z } from 'zod'
import { observableOf } from '../../domain/observables/read.ts'
import { TLP, tlpRank } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest, conflict, notFound } from '../../engine/errors.ts'
import { string } from '../../engine/field.ts'
import { readExclusions } from '../../intelligence/exclusion-lists.ts'
import { isVisibleOne, lowestRank } from '../../intelligence/observables/sight.ts'
import { parametersWithSecrets, type StoredParameters, secretsOf, withSecrets } from '../parameters.ts'
import { findFunctions } from './find-function.ts'
import { EnricherError, type LookUpResult } from './function.ts'
import { LimitReached, lookUpContext, type Made } from './lanes/look-up-calls.ts'
import { credentialsIn, masked, maskedRequest } from './lanes/masked.ts'
import { type Rules, refusalOf } from './requests/classify.ts'

export const testBody = z.object({ type: string(1, 100), value: string(1, 65_536) })

const exchange = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()).describe('Without values that may be secret.'),
  body: z.string().nullable(),
  status: z.int(),
  answer: z.string().describe('The beginning of the answer.'),
})

export const testResult = z.object({
  state: z.enum(['FOUND', 'EMPTY', 'SKIPPED', 'FAILED']),
  reason: z.string().nullable().describe('Why it failed or was skipped, and what to do.'),
  findings: z.array(z.looseObject({ kind: z.string() })),
  warnings: z.array(z.string()),
  requests: z.array(exchange),
  milliseconds: z.number(),
})

type TestResult = z.output<typeof testResult>
type Outcome = Pick<TestResult, 'state' | 'reason' | 'findings' | 'warnings'>

const TIMEOUT_MS = 30_000
const MAX_ANSWER_SHOWN = 20_000

/** Looks up one value with the stored parameters of an enricher, which may be inactive or suspended. Nothing is stored. */
export async function testEnricher(ctx: Context, id: number, given: z.output<typeof testBody>): Promise<TestResult> {
  const read = observableOf(given.type, given.value)
  if ('fault' in read) throw badRequest(`${read.field}: ${read.fault}`)
  const enricher = await find(ctx, id)
  const known = (await findFunctions(ctx.db, [enricher.enricher])).get(enricher.enricher)
  if (!known) throw conflict(`There is no function '${enricher.enricher}' in this installation.`)
  if (!known.supportedTypes.includes(read.type)) {
    throw badRequest(`type: ${known.name} does not look up ${read.type}, only ${known.supportedTypes.join(', ')}`)
  }
  await refuseWithheld(ctx, read, enricher)
  const complete = known.parameters.safeParse(withSecrets(enricher.parameters, secretsOf(ctx.vault, enricher)))
  if (!complete.success) throw conflict('The parameters of the enricher are not complete.')
  const start = performance.now()
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const context = lookUpContext({
    server: ctx,
    enricher: id,
    parameters: parametersWithSecrets(ctx.vault, known, enricher),
    requestsPerLookUp: known.requestsPerLookUp,
    signal,
    check: () => refuseWithheld(ctx, read, enricher),
  })
  const outcome = await known.lookUp(context, read).then(outcomeOf, (error) => faultOf(error, signal))
  const secrets = [
    ...Object.values(secretsOf(ctx.vault, enricher)),
    ...credentialsIn(context.made.map(({ request }) => request)),
  ]
  return {
    ...outcome,
    reason: outcome.reason === null ? null : masked(outcome.reason, secrets),
    findings: JSON.parse(masked(JSON.stringify(outcome.findings), secrets)),
    requests: context.made.map((made) => show(made, secrets)),
    milliseconds: Math.round((performance.now() - start) * 10) / 10,
  }
}

interface Found extends StoredParameters, Rules {
  readonly enricher: string
}

async function find({ db }: Context, id: number): Promise<Found> {
  const { rows } = await sql<Found>`
    select id, name, enricher, parameters, parameter_secrets, supported_observable_types, max_tlp
    from enrichers where id = ${id}`.execute(db)
  if (!rows[0]) throw notFound(id)
  return rows[0]
}

/** Refuses a value that a look-up would not send either: it is on an exclusion list, or the caller sees it above the maximum colour. */
async function refuseWithheld(
  ctx: Context,
  { type, value }: { type: string; value: string },
  rules: Found,
): Promise<void> {
  const { rows } = await sql<{ rank: number | null }>`
    select ${lowestRank(ctx, 't')} as rank
    from observables as t
    where observable_key(t.value) = observable_key(${value}) and t.value = ${value} and t.type = ${type} and ${isVisibleOne(ctx, 't')}`.execute(
    ctx.db,
  )
  const rank = rows[0]?.rank ?? tlpRank(TLP[0])
  const reason = refusalOf({ type, value, rank }, rules, await readExclusions(ctx.db))
  if (reason !== undefined) throw badRequest(`value: must not be looked up. ${reason}`)
}

const outcomeOf = (result: LookUpResult): Outcome => ({
  state: result.state,
  reason: result.state === 'SKIPPED' ? result.reason : null,
  // The content of attachments is left out.
  findings:
    result.state === 'FOUND'
      ? result.findings.map((finding) =>
          finding.kind === 'attachment'
            ? { kind: finding.kind, name: finding.name, media_type: finding.media_type, size: finding.content.length }
            : { ...finding },
        )
      : [],
  warnings: result.state === 'FOUND' ? [...(result.warnings ?? [])] : [],
})

function faultOf(error: unknown, signal: AbortSignal): Outcome {
  const nothing = { state: 'FAILED' as const, findings: [], warnings: [] }
  if (error instanceof EnricherError || error instanceof LimitReached) return { ...nothing, reason: error.message }
  if (signal.aborted) return { ...nothing, reason: `The service did not answer within ${TIMEOUT_MS / 1000} seconds.` }
  throw error
}

const show = ({ request, answer }: Made, secrets: readonly string[]): TestResult['requests'][number] => ({
  ...maskedRequest(request, secrets),
  status: answer.status,
  answer: masked(answer.body.toString('utf8'), secrets).slice(0, MAX_ANSWER_SHOWN).toWellFormed(),
})
