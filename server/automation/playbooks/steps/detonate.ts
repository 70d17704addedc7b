import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { link } from '../../../engine/link.ts'
import { requestDetonations, wantDetonations } from '../acting/begin-detonations.ts'
import { explained } from '../acting/explained.ts'
import { findLinked, leftOut } from '../acting/find-linked.ts'
import { type Detonation, readDetonations, storedResults } from '../acting/read-detonations.ts'
import { outOfScope, readSubject, UNSEEN } from '../acting/subject.ts'
import { defineStep, type StepContext, StepError, type StepResult, type Waiting } from '../step.ts'

const MAX_DETONATORS = 10

const parameters = z.object({
  detonators: z.array(link('detonators')).min(1).max(MAX_DETONATORS).describe('The sandboxes.'),
  options: z.record(string(1, 200), z.unknown()).default({}).describe('Options of the submission; see the sandboxes.'),
  wait_minutes: z
    .int()
    .min(1)
    .max(7 * 24 * 60)
    .default(180)
    .describe('How long to wait for the reports. Afterwards, the run goes on with what is known.'),
})

/** Runs the file, or opens the address, in sandboxes, and waits for their reports. */
export const detonate = defineStep({
  kind: 'detonate',
  title: 'Detonate and wait',
  description:
    'Runs the file in sandboxes, opens the address, or does so with the attachments and addresses of the entity, and waits for the reports. The owner of the playbook must have accepted the terms of the sandboxes. Reports that are still valid are used again.',
  outcomes: {
    malicious: 'At least one report says that it is malicious.',
    suspicious: 'At least one report says that it is suspicious, and none that it is malicious.',
    clean: 'At least one report says that it is clean, and none says worse.',
    unknown: 'No report has a verdict.',
    out_of_scope:
      'The owner of the playbook does not see the object, or the sandboxes may have nothing of it: because of its kind, its colour or exclusion lists.',
  },
  collections: ['entities', 'observables', 'files'],
  parameters,
  templates: [],
  permissions: () => ['read detonators', 'read detonations', 'modify detonations'],
  act: async (step, { detonators, options, wait_minutes }) => {
    if (!(await readSubject(step))) return outOfScope(UNSEEN)
    const found = await findLinked(step.ctx, 'detonators', detonators)
    const wanted = await explained(() => wantDetonations(step, found.ids.map(Number), options))
    const warnings = [...leftOut('detonator', found), ...wanted.warnings]
    if (wanted.asked.length === 0) return outOfScope('The sandboxes may have nothing of the object.', warnings)
    if (step.isDryRun) {
      const stored = await storedResults(step.ctx, wanted.asked)
      const { outcome, output } = resultOf(stored, [])
      return { outcome, output: { ...output, would_submit: wanted.asked.length - stored.length }, warnings }
    }
    const detonations = await explained(() => requestDetonations(step, wanted))
    const until = new Date(Date.now() + wait_minutes * 60_000).toISOString()
    return look(step, { detonations: [...new Set(detonations)], warnings, since: new Date().toISOString(), until })
  },
  resume: (step, _, waitsFor) => look(step, waitsFor as unknown as WaitsFor),
})

interface WaitsFor {
  readonly detonations: readonly string[]
  readonly warnings: readonly string[]
  readonly since: string
  readonly until: string
}

const [SOONEST_SECONDS, LATEST_SECONDS] = [5, 300]

const GONE =
  'The detonations no longer exist, or another user has saved the playbook since and did not ask for them. Retry the run to ask again.'

/** The result, or a later look. */
async function look({ ctx }: StepContext, waitsFor: WaitsFor): Promise<StepResult | Waiting> {
  const all = await readDetonations(ctx, waitsFor.detonations)
  const open = all.filter(({ isUnderWay }) => isUnderWay).length
  if (open > 0 && new Date().toISOString() < waitsFor.until) {
    const waited = (Date.now() - Date.parse(waitsFor.since)) / 1000
    const retryInSeconds = Math.min(LATEST_SECONDS, Math.max(SOONEST_SECONDS, Math.round(waited / 4)))
    return { waitsFor: { ...waitsFor }, retryInSeconds }
  }
  const ended = all.filter(({ state }) => state === 'FINISHED')
  const failed = all.filter(({ state, isUnderWay }) => !isUnderWay && state !== 'FINISHED')
  const remarks = [
    ...new Set(failed.map(({ reason, state }) => reason ?? `The detonation ended as ${state}.`)),
    ...(open > 0 ? [`Detonations that had not ended in time: ${open}.`] : []),
  ]
  if (ended.length === 0) throw new StepError(remarks.join(' ') || GONE)
  return resultOf(ended, [...waitsFor.warnings, ...remarks])
}

const VERDICTS = ['malicious', 'suspicious', 'clean'] as const

/** The worst verdict of all reports. */
function resultOf(ended: readonly Detonation[], warnings: readonly string[]): StepResult {
  const outcome = VERDICTS.find((verdict) => ended.some((each) => each.verdict === verdict)) ?? 'unknown'
  return {
    outcome,
    output: { detonations: ended.map(({ id }) => id), finished: ended.length },
    ...(warnings.length > 0 && { warnings }),
  }
}
