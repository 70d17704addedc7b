import { type Kysely, sql } from 'kysely'
import type { StepResult, Waiting } from '../step.ts'
import { parametersOf, type StoredStep } from '../stored-step.ts'
import type { BegunStep, DueRun } from './due-run.ts'

/** Of one step of one run: the first, and those after failures that may pass. */
export const MAX_ATTEMPTS = 5
const [FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS] = [5, 300]

interface Recorded {
  readonly state: BegunStep['state']
  readonly outcome?: string
  readonly output?: StepResult['output']
  readonly warnings?: readonly string[]
  readonly error?: string | null
  readonly waitsFor?: Waiting['waitsFor'] | null
  readonly prepared?: Readonly<Record<string, unknown>> | null
}

/** Records how far the next step of a run came, in the transaction of its effects. */
export async function recordStep(db: Kysely<unknown>, run: DueRun, recorded: Recorded): Promise<void> {
  const step = run.steps[run.position] as StoredStep
  const {
    state,
    outcome = null,
    output = null,
    warnings = [],
    error = null,
    waitsFor = null,
    prepared = null,
  } = recorded
  const hasEnded = !['WAITING', 'CALLING'].includes(state)
  await sql`
    insert into playbook_run_steps as s (run, position, step, kind, state, outcome, input, output, warnings, error, attempts, waits_for, prepared, ended_at)
    values (${run.id}, ${run.position}, ${step.id}, ${step.kind}, ${state}, ${outcome}, ${JSON.stringify(parametersOf(step))}::jsonb,
      ${json(output)}::jsonb, ${warnings}::text[], ${error}, ${run.attempts + 1}, ${json(waitsFor)}::jsonb, ${json(prepared)}::jsonb,
      case when ${hasEnded}::boolean then now() end)
    on conflict (run, position) do update
    set state = excluded.state, outcome = excluded.outcome, output = excluded.output, warnings = excluded.warnings, error = excluded.error,
      attempts = excluded.attempts, waits_for = excluded.waits_for, prepared = excluded.prepared, ended_at = excluded.ended_at`.execute(
    db,
  )
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** Goes on to the next step. */
export async function moveOn(db: Kysely<unknown>, { id }: Pick<DueRun, 'id'>): Promise<void> {
  await sql`
    update playbook_runs set position = position + 1, attempts = 0, state = 'STARTED', due_at = now() where id = ${id}`.execute(
    db,
  )
}

/** Looks at the run again later. A failed attempt counts, and the pauses between attempts double. */
export async function waitFor(
  db: Kysely<unknown>,
  { id, attempts }: Pick<DueRun, 'id' | 'attempts'>,
  given: { readonly seconds: number } | 'failed',
): Promise<void> {
  const isFailed = given === 'failed'
  const seconds = isFailed ? Math.min(MAX_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** attempts) : given.seconds
  await sql`
    update playbook_runs
    set state = 'WAITING', claim = null, claimed_until = null, attempts = attempts + ${isFailed ? 1 : 0}::integer,
      due_at = now() + make_interval(secs => ${Math.max(0, seconds)})
    where id = ${id}`.execute(db)
}
