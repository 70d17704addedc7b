import { z } from 'zod'
import { link } from '../../../engine/link.ts'
import { ENRICH_PERMISSIONS } from '../../enrichers/runs/enrich-tasks.ts'
import { type Asked, beginLookUps } from '../acting/begin-look-ups.ts'
import { findLinked, leftOut } from '../acting/find-linked.ts'
import { type Known, progressOf, readLookUps } from '../acting/look-ups.ts'
import { observablesOf, outOfScope, readSubject, UNSEEN } from '../acting/subject.ts'
import { defineStep, type StepContext, StepError, type StepResult, type Waiting } from '../step.ts'

const MAX_ENRICHERS = 20

const parameters = z.object({
  enrichers: z.array(link('enrichers')).min(1).max(MAX_ENRICHERS).describe('Whom to ask.'),
  wait_minutes: z
    .int()
    .min(1)
    .max(7 * 24 * 60)
    .default(60)
    .describe('How long to wait for them. Afterwards, the run goes on with what is known.'),
})

/** Asks enrichers about the observables of the object, and waits until they have answered. */
export const enrich = defineStep({
  kind: 'enrich',
  title: 'Enrich and wait',
  description:
    'Asks enrichers about the observable, those of the entity or the hashes of the file, and waits until they have answered. Results that are still valid are used again.',
  outcomes: {
    malicious: 'At least one verdict is medium or high.',
    suspicious: 'The strongest verdict is low.',
    safe: 'There are only verdicts of safe.',
    found: 'Something is known, but there is no verdict.',
    not_found: 'Nothing is known.',
    out_of_scope:
      'The owner of the playbook does not see the object, or there is nothing that these enrichers may be asked about: because of types, exclusion lists or colours.',
  },
  collections: ['entities', 'observables', 'files'],
  parameters,
  templates: [],
  permissions: () => ENRICH_PERMISSIONS,
  act: async (step, { enrichers, wait_minutes }) => {
    const { ctx, subject, isDryRun } = step
    if (!(await readSubject(step))) return outOfScope(UNSEEN)
    const found = await findLinked(ctx, 'enrichers', enrichers)
    const { observables, warnings } = await observablesOf(ctx, subject)
    const asked = await beginLookUps(step, found.ids.map(Number), observables)
    const known: Asked = { ...asked, warnings: [...leftOut('enricher', found), ...warnings, ...asked.warnings] }
    if (known.pairs.length === 0)
      return outOfScope('There is nothing that these enrichers may be asked about.', known.warnings)
    const until = new Date(Date.now() + wait_minutes * 60_000).toISOString()
    return isDryRun ? foretold(step, known) : look(step, { ...known, since: new Date().toISOString(), until })
  },
  resume: (step, _, waitsFor) => look(step, waitsFor as unknown as WaitsFor),
})

interface WaitsFor extends Asked {
  readonly since: string
  readonly until: string
}

const [SOONEST_SECONDS, LATEST_SECONDS] = [2, 300]

/** The result, or a later look. */
async function look(step: StepContext, waitsFor: WaitsFor): Promise<StepResult | Waiting> {
  const { open, stuck } = await progressOf(step.ctx, waitsFor.pairs)
  const isLate = new Date().toISOString() >= waitsFor.until
  if (open > 0 && !isLate) {
    const waited = (Date.now() - Date.parse(waitsFor.since)) / 1000
    const retryInSeconds = Math.min(LATEST_SECONDS, Math.max(SOONEST_SECONDS, Math.round(waited / 4)))
    return { waitsFor: { ...waitsFor }, retryInSeconds }
  }
  const known = await readLookUps(step.ctx, waitsFor.pairs)
  return resultOf(known, waitsFor, [
    ...(open > 0 ? [`Look-ups that had not ended in time: ${open}.`] : []),
    ...stuck.map((name) => `The enricher '${name}' cannot go on at the moment.`),
  ])
}

/** What a dry run says: nothing is asked, and results that are stored stand for the answers. */
async function foretold({ ctx }: StepContext, asked: Asked): Promise<StepResult> {
  const { outcome, output } = resultOf(await readLookUps(ctx, asked.pairs), asked, [], true)
  return { outcome, output: { ...output, would_look_up: asked.lookUps }, warnings: asked.warnings }
}

/** The strongest of all answers. Without an answer and with failures, the step fails. */
function resultOf(known: readonly Known[], asked: Asked, remarks: readonly string[], isDryRun = false): StepResult {
  const of = (state: Known['state']) => known.filter((each) => each.state === state)
  const [found, empty, failed, skipped] = [of('FOUND'), of('EMPTY'), of('FAILED'), of('SKIPPED')]
  const reasons = [...new Set(failed.map(({ reason }) => reason ?? 'A look-up failed.'))].slice(0, 5)
  const isAnswered = found.length + empty.length > 0
  if (!isAnswered && !isDryRun && failed.length + remarks.length > 0)
    throw new StepError([...reasons, ...remarks].join(' '), { isPassing: failed.length === 0 })
  if (known.length === 0 && !isDryRun)
    return outOfScope('The owner of the playbook does not see the results of these enrichers.', asked.warnings)
  const isAllSkipped = !isAnswered && skipped.length > 0 && skipped.length === known.length
  const warnings = [...asked.warnings, ...remarks, ...reasons]
  return {
    outcome: isAllSkipped ? 'out_of_scope' : outcomeOf(found),
    output: {
      look_ups: asked.pairs.length,
      found: found.length,
      not_found: empty.length,
      failed: failed.length,
      skipped: skipped.length,
      observables: [...new Set(asked.pairs.map(({ observable }) => observable))].length,
      malicious_observables: [...new Set(found.filter(isMalicious).map(({ observable }) => observable))],
    },
    ...(warnings.length > 0 && { warnings }),
  }
}

const MALICIOUS = ['medium', 'high']

const isMalicious = ({ verdicts }: Known): boolean => verdicts.some((verdict) => MALICIOUS.includes(verdict))

function outcomeOf(found: readonly Known[]): string {
  const verdicts = new Set(found.flatMap((each) => each.verdicts))
  if (found.some(isMalicious)) return 'malicious'
  if (verdicts.has('low')) return 'suspicious'
  if (verdicts.has('safe')) return 'safe'
  return found.length > 0 ? 'found' : 'not_found'
}
