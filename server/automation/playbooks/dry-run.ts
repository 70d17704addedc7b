import { sql } from 'kysely'
import { z } from 'zod'
import { collections } from '../../collections.ts'
import type { Context } from '../../engine/context.ts'
import { toUrl } from '../../engine/reference.ts'
import { textFiller } from './fill-text.ts'
import { type Performed, performStep } from './perform-step.ts'
import { shownStep } from './playbook-runs.ts'
import { OBJECT_COLLECTIONS, type StepContext, type StepResult, type Subject } from './step.ts'
import { kindOf } from './step-kinds.ts'
import { parametersOf, type StoredStep } from './stored-step.ts'

/** A dry run is done within one request. */
export const MAX_TRIED = 10

/** What a playbook would do to an object. */
export const tried = z.object({
  collection: z.enum(OBJECT_COLLECTIONS),
  object: z.url(),
  state: z.enum(['SUCCESS', 'WARNING', 'FAILURE', 'WAITING']).describe('WAITING: a step would wait before it goes on.'),
  reason: z.string().nullable(),
  steps: z.array(shownStep).describe('Those after the end of the run are PENDING.'),
})

type Tried = z.output<typeof tried>
type TriedStep = Tried['steps'][number]

/** A playbook as a dry run takes it, saved or not. */
export interface Tryable {
  readonly id: number
  readonly name: string
  readonly version: number
  readonly steps: readonly StoredStep[]
}

/**
 * Does the steps of a playbook on objects, with the permissions and the sight of the caller, and takes everything back. `outcomes` stands for
 * the results of steps, which are then not done, so that other branches can be tried.
 */
export async function dryRun(
  ctx: Context,
  playbook: Tryable,
  subjects: readonly Subject[],
  outcomes: Readonly<Record<string, string>>,
): Promise<Tried[]> {
  const made: Tried[] = []
  for (const subject of subjects) {
    await sql`savepoint dry_run`.execute(ctx.db)
    made.push(await tryOn(ctx, playbook, subject, outcomes))
    await sql`rollback to savepoint dry_run`.execute(ctx.db)
    await sql`release savepoint dry_run`.execute(ctx.db)
  }
  return made
}

const NO_RUN = '00000000-0000-0000-0000-000000000000'

async function tryOn(
  ctx: Context,
  { id, name, version, steps }: Tryable,
  subject: Subject,
  outcomes: Readonly<Record<string, string>>,
): Promise<Tried> {
  const results = new Map<string, StepResult>()
  const acting: Context = { ...ctx, cause: { kind: 'playbook', id: String(id), depth: 1 } }
  // Of an object, some ids of steps would be members without being given.
  const given = new Map(Object.entries(outcomes))
  const shown = steps.map(pending)
  for (const [i, stored] of steps.entries()) {
    const step: StepContext = {
      ctx: acting,
      subject,
      playbook: { id, name, version },
      run: NO_RUN,
      step: stored.id,
      key: `${NO_RUN}-${i}`,
      isDryRun: true,
      results,
      fill: textFiller(acting, subject, name, results),
    }
    const performed = await tryStep(step, stored, given.get(stored.id))
    shown[i] = showPerformed(stored, performed)
    if (performed.kind === 'done') results.set(stored.id, performed.result)
    if (performed.kind === 'done' && performed.isLast) break
    if (performed.kind === 'failed' && stored.on_failure === 'stop') break
  }
  return {
    collection: subject.collection,
    object: toUrl(ctx.baseUrl, subject.collection, idOf(subject)),
    ...endOf(shown, steps),
    steps: shown,
  }
}

const idOf = ({ collection, id }: Subject): string | number => (collections[collection].id === 'uuid' ? id : Number(id))

async function tryStep(step: StepContext, stored: StoredStep, outcome: string | undefined): Promise<Performed> {
  if (outcome === undefined) return performStep(step, stored, null)
  const isLast = kindOf(stored.kind)?.ends?.includes(outcome) ?? false
  return { kind: 'done', result: { outcome, output: {} }, isLast }
}

const pending = (stored: StoredStep): TriedStep => ({
  id: stored.id,
  kind: stored.kind,
  name: stored.name,
  state: 'PENDING',
  outcome: null,
  input: parametersOf(stored),
  output: null,
  warnings: [],
  error: null,
  attempts: 0,
  started_at: null,
  ended_at: null,
})

function showPerformed(stored: StoredStep, performed: Performed): TriedStep {
  const step = { ...pending(stored), attempts: 1 }
  if (performed.kind === 'failed') return { ...step, state: 'FAILURE', error: performed.message }
  if (performed.kind === 'skipped') return { ...step, state: 'SKIPPED', attempts: 0 }
  // The output would be known only later.
  if (performed.kind !== 'done') return { ...step, state: 'WAITING' }
  const { outcome, output, warnings = [] } = performed.result
  return {
    ...step,
    state: warnings.length > 0 ? 'WARNING' : 'SUCCESS',
    outcome,
    output: { ...output },
    warnings: [...warnings],
  }
}

/** How a run with these steps would end. */
function endOf(shown: readonly TriedStep[], steps: readonly StoredStep[]): Pick<Tried, 'state' | 'reason'> {
  const failed = shown.find(({ state }) => state === 'FAILURE')
  const isStopped = failed !== undefined && steps.find(({ id }) => id === failed.id)?.on_failure === 'stop'
  if (failed)
    return { state: isStopped ? 'FAILURE' : 'WARNING', reason: `The step '${failed.id}' failed: ${failed.error}` }
  if (shown.some(({ state }) => state === 'WAITING')) return { state: 'WAITING', reason: null }
  const warned = shown.find(({ state }) => state === 'WARNING')
  if (!warned) return { state: 'SUCCESS', reason: null }
  return { state: 'WARNING', reason: `The step '${warned.id}' ended with a warning: ${warned.warnings[0]}` }
}
